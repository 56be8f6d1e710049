package dev.spur.service.jobs.lifecycle;

import dev.spur.prediction.online.Drift;
import dev.spur.service.jobs.DemoNodes;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.DriftMessages;
import dev.spur.service.jobs.lifecycle.JobExecutionStore.Execution;
import dev.spur.service.jobs.lifecycle.JobExecutionStore.ProgressFall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Detects problems in the execution of a job and reports them to its owner. */
@Component
public class JobWarnings {
    /** Time after which a planned job without a progress report is warned about. */
    private static final double FIRST_REPORT_SECONDS = 60;

    /** Time after which a running job of unknown speed without a report of steps is warned about. */
    private static final double FIRST_STEPS_SECONDS = 180;

    private final JobExecutionStore store;
    private final DemoNodes demoNodes;

    JobWarnings(JobExecutionStore store, DemoNodes demoNodes) {
        this.store = store;
        this.demoNodes = demoNodes;
    }

    /** Kinds of warnings. */
    public enum Kind {
        /** The nodes of the demo simulate the job. */
        SIMULATED,
        /** The job is planned, but no executor runs it. */
        NO_EXECUTOR,
        /** The job runs without a report of steps, and nothing is known about its speed. */
        NO_STEPS,
        /** The steps of the running job take longer than predicted. */
        SLOWER,
        /** The program ended without an error before the stated work was done. */
        ENDED_EARLY,
        /** A generation began with fewer samples than the newest checkpoint contains. */
        PROGRESS_FELL
    }

    /** A warning with a machine-readable kind and a message. */
    public record Warning(Kind kind, String message) {}

    /** Returns the warnings of a job; empty if there is none. */
    public List<Warning> of(String job) {
        return of(List.of(job)).getOrDefault(job, List.of());
    }

    /** Returns the warnings of those of {@code jobs} that exist, by id. */
    public Map<String, List<Warning>> of(Collection<String> jobs) {
        return store.of(jobs).stream().collect(Collectors.toMap(Execution::id, this::of));
    }

    private List<Warning> of(Execution execution) {
        List<Warning> warnings = new ArrayList<>();
        Double planned = execution.plannedSeconds();
        if (planned != null) {
            ofExecution(execution, planned).ifPresent(warnings::add);
            Drift drift = execution.drift();
            if (drift != null && drift.factor() > 1) {
                warnings.add(new Warning(Kind.SLOWER, DriftMessages.message(drift)));
            }
        }
        Double total = execution.total();
        if (total != null && execution.done() < StoredJob.COMPLETE * total) {
            warnings.add(new Warning(Kind.ENDED_EARLY, early(execution.done(), total)));
        }
        ProgressFall fall = execution.fall();
        if (fall != null) {
            warnings.add(new Warning(Kind.PROGRESS_FELL, text(fall)));
        }
        return List.copyOf(warnings);
    }

    private Optional<Warning> ofExecution(Execution execution, double planned) {
        if (execution.hasCommand()
                && !execution.nodes().isEmpty()
                && execution.nodes().stream().allMatch(demoNodes::contains)) {
            return Optional.of(new Warning(
                    Kind.SIMULATED,
                    "The demo simulates the job: no process starts, and it progresses at its planned speed."));
        }
        if (execution.hasCommand() && !execution.nodesWithoutExecutor().isEmpty()) {
            return Optional.of(new Warning(
                    Kind.NO_EXECUTOR,
                    "The job does not run: no executor is connected for node %s. Start the agent there, or drain the node."
                            .formatted(String.join(", ", execution.nodesWithoutExecutor()))));
        }
        if (!execution.hasCommand() && !execution.isReported() && planned > FIRST_REPORT_SECONDS) {
            return Optional.of(new Warning(
                    Kind.NO_EXECUTOR,
                    ("The job reports no progress: it has been planned on node %s for %.0f s, and it has no command. "
                                    + "Run a program that reports its progress, or submit the job with a command.")
                            .formatted(String.join(", ", execution.nodes()), planned)));
        }
        return execution.speedUnknown() && planned > FIRST_STEPS_SECONDS
                ? Optional.of(new Warning(Kind.NO_STEPS, noSteps(planned)))
                : Optional.empty();
    }

    private static String noSteps(double planned) {
        return ("The job has run for %.0f s without a report of steps, and nothing is known about its speed. "
                        + "It keeps its slots and does not grow. Import spur.torch in its program, state a profile, "
                        + "or submit it with a fixed number of slots (--gpus N).")
                .formatted(planned);
    }

    private static String early(double done, double total) {
        return String.format(
                Locale.ROOT,
                "The program ended with exit code 0 after %,.0f of %,.0f samples (%.1f %%). "
                        + "If it has done all of its work, state that amount as the work of the job.",
                done,
                total,
                100 * done / total);
    }

    private static String text(ProgressFall fall) {
        return String.format(
                Locale.ROOT,
                "Progress decreased: generation %d began at %,.0f samples, but generation %d had saved a checkpoint at %,.0f. "
                        + "Check that the training loads SPUR_CHECKPOINT_RESUME_DIR.",
                fall.generation(),
                fall.samplesTotal(),
                fall.checkpointGeneration(),
                fall.checkpointSamples());
    }
}
