package dev.spur.service.job;

import dev.spur.service.store.JobExecutionStore;
import dev.spur.service.store.JobExecutionStore.Execution;
import dev.spur.service.store.JobExecutionStore.ProgressFall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** What is wrong with the execution of a job, for its owner. */
@Component
public class JobWarnings {
    /** A program that follows plans has so long to report its first progress. */
    private static final double FIRST_REPORT_SECONDS = 60;

    private final JobExecutionStore store;

    JobWarnings(JobExecutionStore store) {
        this.store = store;
    }

    /** Kinds of warnings. */
    public enum Kind {
        /** It is planned, but nothing executes it. */
        NO_EXECUTOR,
        /** A generation began with fewer samples than the newest checkpoint has. */
        PROGRESS_FELL
    }

    /** A warning, for programs and for people. */
    public record Warning(Kind kind, String message) {}

    /** The warnings of a job that exists. */
    public List<Warning> of(String job) {
        Execution execution = store.of(job);
        List<Warning> warnings = new ArrayList<>();
        Double planned = execution.plannedSeconds();
        if (planned != null
                && execution.hasCommand()
                && !execution.nodesWithoutExecutor().isEmpty()) {
            warnings.add(new Warning(
                    Kind.NO_EXECUTOR,
                    "Nothing executes it: no executor is connected for node %s. Start the agent there, or drain the node."
                            .formatted(String.join(", ", execution.nodesWithoutExecutor()))));
        } else if (planned != null
                && !execution.hasCommand()
                && !execution.isReported()
                && planned > FIRST_REPORT_SECONDS) {
            warnings.add(new Warning(
                    Kind.NO_EXECUTOR,
                    ("Nothing reports it: it is planned on node %s for %.0f s, and it has no command for an executor. "
                                    + "Start it by a program that reports its progress, or submit it with a command.")
                            .formatted(String.join(", ", execution.nodes()), planned)));
        }
        ProgressFall fall = execution.fall();
        if (fall != null) {
            warnings.add(new Warning(Kind.PROGRESS_FELL, sentence(fall)));
        }
        return List.copyOf(warnings);
    }

    private static String sentence(ProgressFall fall) {
        return String.format(
                Locale.ROOT,
                "Progress fell: generation %d began at %,.0f samples, but generation %d had saved a checkpoint at %,.0f. "
                        + "Check that the training loads SPUR_CHECKPOINT_RESUME_DIR.",
                fall.generation(),
                fall.samplesTotal(),
                fall.checkpointGeneration(),
                fall.checkpointSamples());
    }
}
