package dev.spur.cli;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Options for the start of a job: a time, and dependencies on others. */
final class StartOptions {
    private static final String DEPENDENCIES = "dependsOn";

    @Option(
            names = "--after",
            paramLabel = "JOB",
            split = ",",
            description =
                    "Start after this job, or all jobs of this array, have succeeded; if one fails, the job is canceled."
                            + " Id, id prefix, or name.")
    private List<String> succeeded = List.of();

    @Option(
            names = "--after-any",
            paramLabel = "JOB",
            split = ",",
            description = "Start after this job has ended, in whatever state.")
    private List<String> ended = List.of();

    @Option(names = "--after-start", paramLabel = "JOB", split = ",", description = "Start after this job has started.")
    private List<String> started = List.of();

    @Option(
            names = "--begin",
            paramLabel = "TIME",
            converter = BeginTime.Converter.class,
            description = "Start at this time at the earliest: " + BeginTime.FORMS + ".")
    private @Nullable BeginTime begin;

    /** Adds the stated time and dependencies to the body of a submission. */
    void addTo(ObjectNode job) {
        if (begin != null) {
            begin.putInto(job);
        }
        add(job, succeeded, "SUCCEEDED");
        add(job, ended, "ENDED");
        add(job, started, "STARTED");
    }

    private static void add(ObjectNode job, List<String> others, String condition) {
        for (String other : others) {
            job.withArray("/" + DEPENDENCIES).addObject().put("job", other).put("when", condition);
        }
    }

    /** Replaces names and id prefixes of the jobs and arrays in the dependencies by ids. */
    static void resolve(ObjectNode job, ServiceOptions service) throws InterruptedException {
        for (JsonNode dependency : job.path(DEPENDENCIES)) {
            if (dependency instanceof ObjectNode one && one.path("job").isString()) {
                String stated = one.path("job").asString();
                Optional<String> array = service.array(stated);
                if (array.isPresent()) {
                    one.remove("job");
                    one.put("array", array.get());
                } else {
                    one.put("job", service.job(stated));
                }
            }
        }
    }
}
