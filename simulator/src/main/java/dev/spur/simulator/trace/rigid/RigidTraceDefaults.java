package dev.spur.simulator.trace.rigid;

/** Defaults for values that a trace does not state. */
final class RigidTraceDefaults {
    /** Seconds lost with each restart; the value that Sia assumes for jobs without measurements (SOSP '23). */
    static final double RESTART_SECONDS = 30;

    /** Tenant of jobs whose file names none. */
    static final String TENANT = "root";

    private RigidTraceDefaults() {}
}
