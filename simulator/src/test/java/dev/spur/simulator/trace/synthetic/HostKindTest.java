package dev.spur.simulator.trace.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostKindTest {
    private static final ClusterFile CLUSTER = new ClusterFile(List.of(
            new NodeKind("V100", 4, 8, null, 24.0, 500.0, null, null, null, null, null),
            new NodeKind("V100", 1, 8, null, 40.0, 400.0, null, null, null, null, null)));

    private static Trace trace(JobStyle style, Double hungry) {
        return SyntheticTrace.generate(
                new SyntheticSettings(
                        400,
                        1,
                        ArrivalProcess.POISSON,
                        SlotDistribution.GAVEL,
                        DurationDistribution.TIRESIAS,
                        style,
                        hungry),
                CLUSTER.allNodes(),
                3);
    }

    private static JobSpec spec(TraceJob job) {
        return job.viewModel().after(RunHistory.NONE).spec();
    }

    private static HostSensitivity sensitivity(TraceJob job) {
        return Objects.requireNonNull(spec(job).hostSensitivity());
    }

    @ParameterizedTest
    @EnumSource(JobStyle.class)
    void theJobsAreThoseOfATraceWithoutHosts(JobStyle style) {
        List<TraceJob> without = trace(style, null).jobs();
        List<TraceJob> with = trace(style, 0.5).jobs();

        assertThat(with).hasSameSizeAs(without);
        for (int i = 0; i < with.size(); i++) {
            assertThat(spec(with.get(i)).edit().host(HostDemand.NONE, null).build())
                    .isEqualTo(spec(without.get(i)));
            assertThat(with.get(i).arrival()).isEqualTo(without.get(i).arrival());
            assertThat(with.get(i).truth().startSeconds(false))
                    .isEqualTo(without.get(i).truth().startSeconds(false));
        }
    }

    @Test
    void theyStateTheShareOfTheirSlotsOnTheNodeThatHasLeast() {
        assertThat(trace(JobStyle.RIGID, 0.5).jobs())
                .allMatch(job -> spec(job).host().equals(new HostDemand(3, 50)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {376.28460493509, 359.9441797883, 1e6})
    void anyShareHasTheSpeedOfWhatIsStated(double cpus) {
        assertThat(onOneNodeWith(cpus).jobs()).allMatch(job -> sensitivity(job).maxSpeed() == 1);
    }

    @Test
    void hostsWithoutCpusAreRefused() {
        assertThatThrownBy(() -> onOneNodeWith(0)).hasMessageContaining("cpuHungry (0.0) requires nodes with CPUs");
    }

    private static Trace onOneNodeWith(double cpus) {
        ClusterFile cluster =
                new ClusterFile(List.of(new NodeKind("V100", 1, 8, null, cpus, 500.0, null, null, null, null, null)));
        SyntheticSettings settings = new SyntheticSettings(
                20,
                1,
                ArrivalProcess.POISSON,
                SlotDistribution.SINGLE,
                DurationDistribution.TIRESIAS,
                JobStyle.RIGID,
                0.0);
        return SyntheticTrace.generate(settings, cluster.allNodes(), 1);
    }

    @Test
    void asManyAreHungryAsAskedFor() {
        List<TraceJob> jobs = trace(JobStyle.RIGID, 0.25).jobs();
        List<TraceJob> hungry =
                jobs.stream().filter(job -> sensitivity(job).maxSpeed() > 1).toList();

        assertThat(hungry.size()).isBetween(75, 125);
        assertThat(hungry)
                .allMatch(job ->
                        sensitivity(job).speed(9, 50) == 2.4 && sensitivity(job).speed(1, 50) == 0.37);
        assertThat(jobs)
                .filteredOn(job -> !hungry.contains(job))
                .allMatch(job -> sensitivity(job).speed(1, 50) == 1);
    }

    @Test
    void settingsNeedNotSayAnythingOfHosts() {
        String json = """
                {"jobs": 5, "load": 1, "arrivals": "POISSON", "sizes": "GAVEL", "lengths": "HELIOS", "style": "RIGID"%s}""";

        assertThat(read(json.formatted("")).cpuHungry()).isNull();
        assertThat(read(json.formatted(", \"cpuHungry\": 0.5")).cpuHungry()).isEqualTo(0.5);
        assertThatThrownBy(() -> read(json.formatted(", \"cpuHungry\": 1.5"))).hasMessageContaining("cpuHungry (1.5)");
    }

    private static SyntheticSettings read(String json) {
        return RoundJson.mapper().readValue(json, SyntheticSettings.class);
    }
}
