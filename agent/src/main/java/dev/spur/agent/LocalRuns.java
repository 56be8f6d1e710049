package dev.spur.agent;

import dev.spur.agent.process.ProcessRun;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.reconcile.LocalRun;

/** Observed states of runs. */
final class LocalRuns {
    private LocalRuns() {}

    /**
     * Returns the state of {@code run}.
     *
     * @param over true if a run without processes counts as ended
     */
    static LocalRun of(ProcessRun run, boolean over) {
        LocalRun.Phase phase = switch (run.phase()) {
            case RUNNING -> LocalRun.Phase.RUNNING;
            case STOPPING -> LocalRun.Phase.STOPPING;
            case ENDED -> over ? LocalRun.Phase.ENDED : LocalRun.Phase.STOPPING;
        };
        RunSpec spec = run.spec();
        return new LocalRun(
                spec.id(),
                spec.devices(),
                spec.deviceShare(),
                phase,
                run.exitCode(),
                run.wasRequested(),
                spec.graceSeconds(),
                warmUp(run),
                spec.changesStarted(),
                RankChanges.isAdopted(run));
    }

    private static LocalRun.WarmUp warmUp(ProcessRun run) {
        if (!run.isWarming()) {
            return LocalRun.WarmUp.NONE;
        }
        return run.isReady() ? LocalRun.WarmUp.READY : LocalRun.WarmUp.WARMING;
    }
}
