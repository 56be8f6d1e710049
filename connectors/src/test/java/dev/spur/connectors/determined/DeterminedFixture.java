package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import dev.spur.connectors.reconcile.InMemoryActionLog;
import dev.spur.connectors.reconcile.Limits;
import dev.spur.connectors.reconcile.PlatformReconciler;
import dev.spur.connectors.reconcile.ReconcileReport;
import dev.spur.connectors.testing.FakeMaster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A master with agents of eight slots, and an engine that is made anew for each look, together with its platform. */
final class DeterminedFixture implements AutoCloseable {
    /** Stands for the power being cut. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** When the power is cut. */
    interface Cuts {
        /** Called before each change, and again when its answer is there. */
        void at(HttpRequest change, boolean answered);
    }

    private static final Transport NETWORK = Transport.network(Duration.ofSeconds(30));

    final FakeMaster master = FakeMaster.start();
    final InMemoryActionLog log = new InMemoryActionLog(ControlLevel.RESIZE);
    /** Paths that were asked for. */
    final List<String> paths = new ArrayList<>();

    Cuts cuts = (change, answered) -> {};
    private long revision;

    DeterminedFixture(int agents) {
        for (int n = 1; n <= agents; n++) {
            master.agent("gpu" + n, "gpu", 8, false);
        }
    }

    DeterminedSettings settings() {
        return new DeterminedSettings(
                master.url(),
                "spur",
                Optional.of(master.passwordFile()),
                Optional.empty(),
                List.of("gpu", "spot"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Optional.of(new AggregatorProgram(
                        Optional.of("spur"),
                        List.of("spur", "aggregator"),
                        URI.create("http://spur:8080"),
                        Optional.empty())));
    }

    DeterminedPlatform platform() {
        return new DeterminedPlatform(settings(), master.clock(), request -> {
            boolean change =
                    !request.method().equals("GET") && !request.uri().getPath().endsWith("/login");
            paths.add(request.uri().getPath());
            if (change) {
                cuts.at(request, false);
            }
            var answer = NETWORK.send(request);
            if (change) {
                cuts.at(request, true);
            }
            return answer;
        });
    }

    String submit(int slots) {
        return master.submit("gpu", slots, 42, false, List.of("spur"));
    }

    DesiredState plan(Map<String, DesiredJob> wants) {
        return new DesiredState(++revision, wants);
    }

    ReconcileReport step(DesiredState desired) {
        PlatformReconciler engine = new PlatformReconciler(platform(), log, Limits.DEFAULT, master.clock());
        try {
            return engine.reconcile(engine.look(), desired);
        } catch (IOException | InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    PlatformJob look(String job) {
        try {
            return platform().workload().stream()
                    .filter(seen -> seen.id().equals(job))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException | InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Steps until the platform shows the plan and everything runs that is to run, through whatever crashes. */
    void converge(DesiredState desired) {
        for (int look = 0; look < 300; look++) {
            try {
                if (step(desired).inSync() && log.open().isEmpty()) {
                    return;
                }
            } catch (Crash cut) {
                // the next engine goes on
            }
            assertThat(master.used().values()).allMatch(used -> used <= 8);
            master.tick();
        }
        throw new AssertionError("it has not come about: %s wanted, %s open".formatted(desired.wants(), log.open()));
    }

    void converge(Map<String, DesiredJob> wants) {
        converge(plan(wants));
    }

    /** What is shown of a job that is to run agrees with what is wanted. */
    void assertShows(String job, DesiredJob want) {
        PlatformJob now = look(job);
        if (want instanceof DesiredJob.Run run) {
            assertThat(now.state()).isEqualTo(State.RUNNING);
            assertThat(now.held().total()).isEqualTo(run.placement().total());
            assertThat(master.config(job)
                            .path("resources")
                            .path("slots_per_trial")
                            .asInt())
                    .isEqualTo(run.placement().total());
        } else {
            assertThat(now.state()).isEqualTo(State.HELD);
            assertThat(now.held()).isEqualTo(JobPlacement.NONE);
        }
    }

    static DesiredJob.Run run(String agent, int slots) {
        return new DesiredJob.Run(JobPlacement.of(Map.of(agent, slots)));
    }

    static Map<String, DesiredJob> wants(Object... pieces) {
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        for (int p = 0; p < pieces.length; p += 2) {
            wants.put((String) pieces[p], (DesiredJob) pieces[p + 1]);
        }
        return wants;
    }

    @Override
    public void close() {
        master.close();
    }
}
