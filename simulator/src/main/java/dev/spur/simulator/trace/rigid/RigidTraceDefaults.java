package dev.spur.simulator.trace.rigid;

/** What is assumed where a trace is silent. */
final class RigidTraceDefaults {
    /** Seconds lost with each restart; what Sia assumes of jobs that nobody has measured (SOSP '23). */
    static final double RESTART_SECONDS = 30;

    /** Tenant of jobs whose file names none. */
    static final String TENANT = "root";

    private RigidTraceDefaults() {}
}
