package dev.spur.connectors.reconcile;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.determined.DeterminedPlatform;
import dev.spur.connectors.determined.DeterminedSettings;
import dev.spur.connectors.testing.FakeMaster;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The contract on a master of Determined that has the rules of a real one, and no containers. */
class DeterminedTest extends PlatformContractTest {
    @Override
    PlatformFixture open() {
        FakeMaster master = FakeMaster.start();
        master.agent("gpu1", "gpu", 8, false);
        master.agent("gpu2", "gpu", 8, false);
        master.agent("cpu1", "cpu", 0, false);
        DeterminedSettings settings = new DeterminedSettings(
                master.url(),
                "spur",
                Optional.of(master.passwordFile()),
                Optional.empty(),
                List.of("gpu", "cpu"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Optional.empty());
        return new DeterminedPlatformFixture(master, new DeterminedPlatform(settings, master.clock()));
    }

    /** Users of Determined. */
    static final class DeterminedPlatformFixture implements PlatformFixture {
        private final FakeMaster master;
        private final Platform platform;
        private int priority = 42;

        DeterminedPlatformFixture(FakeMaster master, Platform platform) {
            this.master = master;
            this.platform = platform;
        }

        @Override
        public Platform platform() {
            return platform;
        }

        @Override
        public Clock clock() {
            return master.clock();
        }

        @Override
        public String submit(int nodes, int slotsOnEach, boolean held, String words) {
            List<String> labels = Arrays.stream(words.split(" ", -1))
                    .filter(word -> !word.isEmpty())
                    .map(word -> word.equals("spur") ? word : "spur/" + word)
                    .toList();
            return master.submit("gpu", nodes * slotsOnEach, priority++, !held, labels);
        }

        @Override
        public Size requested(int nodes, int slotsOnEach) {
            // it packs slots onto as few agents as it can
            return new Size(nodes * slotsOnEach, 1);
        }

        @Override
        public double cpus() {
            return 0;
        }

        @Override
        public double memoryGiB() {
            return 0;
        }

        @Override
        public String batch(String job) {
            return Integer.toString(master.hyperparameter(job, "global_batch_size"));
        }

        @Override
        public @Nullable HostResources host(String job, int slots) {
            return null;
        }

        @Override
        public void release(String job) {
            master.tell(job, "activate");
        }

        @Override
        public void hold(String job) {
            master.tell(job, "pause");
        }

        @Override
        public void pass() {
            master.tick();
        }

        @Override
        public void close() {
            master.close();
        }
    }
}
