package dev.spur.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Configuration;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.testing.TestGroundTruth;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs that learn from others of their family. */
class FamilyTest {
    /** Notes what its job had heard each time it was asked while the job had not run yet, and while it ran. */
    private static final class Listener implements PolicyViewModel {
        private final PolicyViewModel told;
        private final @Nullable String family;
        private final List<List<Configuration>> before = new ArrayList<>();
        private final List<List<Configuration>> later = new ArrayList<>();

        Listener(PolicyViewModel told, @Nullable String family) {
            this.told = told;
            this.family = family;
        }

        @Override
        public @Nullable String family() {
            return family;
        }

        @Override
        public PolicyView after(RunHistory history) {
            (history.pastConfigurations().isEmpty() ? before : later).add(history.familyConfigurations());
            return told.after(history);
        }
    }

    private final Listener first = listener("first", "family");
    private final Listener relative = listener("relative", "family");
    private final Listener stranger = listener("stranger", "other");
    private final Listener loner = listener("loner", null);

    private static Listener listener(String id, @Nullable String family) {
        return new Listener(
                PolicyViewModel.complete(
                        Traces.request(id, id.equals("first") ? 1 : 2, 100).spec()),
                family);
    }

    private static TraceJob job(String id, double arrival, Listener viewModel) {
        int slots = id.equals("first") ? 1 : 2;
        return new TraceJob(id, arrival, "root", null, slots, 100, TestGroundTruth.of(100), viewModel);
    }

    private void replay(TraceJob... jobs) {
        Replayer.replay(
                Traces.trace(jobs),
                Traces.cluster(1, 2),
                PolicyRegistry.policy("fifo").orElseThrow(),
                ReplaySettings.DEFAULT.withRounds(10, null),
                ProgressListener.NONE);
    }

    @Test
    void aPendingJobUsesMeasurementsOfItsFamily() {
        replay(job("first", 0, first), job("relative", 5, relative));

        assertThat(relative.before.get(0)).isEmpty();
        assertThat(last(relative.before)).extracting(Configuration::slots).containsExactly(1);
    }

    @Test
    void aRunningJobKeepsItsPrediction() {
        replay(job("first", 0, first), job("relative", 5, relative));

        assertThat(last(first.later)).isEmpty();
    }

    @Test
    void familiesShareNoMeasurements() {
        replay(job("first", 0, first), job("stranger", 5, stranger), job("loner", 6, loner));

        assertThat(last(stranger.before)).isEmpty();
        assertThat(last(loner.before)).isEmpty();
    }

    @Test
    void anotherReplayBeginsWithoutLore() {
        replay(job("first", 0, first));
        replay(job("relative", 0, relative));

        assertThat(relative.before).allSatisfy(heard -> assertThat(heard).isEmpty());
    }

    private static List<Configuration> last(List<List<Configuration>> heard) {
        return heard.get(heard.size() - 1);
    }
}
