package dev.spur.service.testing;

import java.util.List;

/** The modules with production code of the build. */
public final class MavenModules {
    public static final List<String> ALL = List.of(
            "model",
            "solver",
            "policies",
            "prediction",
            "simulator",
            "agent",
            "connectors",
            "embedded-postgres",
            "service",
            "benchmarks");

    /** Those that are compiled before the tests of the service run. */
    public static final List<String> BEFORE_BENCHMARKS = ALL.subList(0, ALL.size() - 1);

    private MavenModules() {}
}
