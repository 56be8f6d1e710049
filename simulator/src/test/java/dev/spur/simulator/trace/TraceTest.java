package dev.spur.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Configuration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceTest {
    @Test
    void jobsComeInTheOrderOfTheirArrivals() {
        Trace trace = new Trace("synthetic", List.of(job("b", 5), job("c", 1), job("a", 5)), Map.of());

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("c", "a", "b");
    }

    @Test
    void idsAreUnique() {
        assertThatThrownBy(() -> new Trace("synthetic", List.of(job("a", 1), job("a", 2)), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("share an id");
    }

    @Test
    void completeInsightKnowsTheWorkThatIsLeft() {
        PolicyViewModel viewModel =
                PolicyViewModel.complete(JobFixture.job("a").work(100).spec());

        assertThat(viewModel.after(RunHistory.NONE).remainingSamples()).isEqualTo(100);
        assertThat(viewModel.after(new RunHistory(30, List.of())).remainingSamples())
                .isEqualTo(70);
        assertThat(viewModel.after(new RunHistory(101, List.of())).remainingSamples())
                .isZero();
    }

    private static TraceJob job(String id, double arrival) {
        return new TraceJob(
                id,
                arrival,
                "root",
                null,
                1,
                1,
                new GroundTruth() {
                    @Override
                    public ProgressRate progressRate(Configuration configuration, double doneSamples) {
                        return new ProgressRate(1, 1, true);
                    }

                    @Override
                    public double startSeconds(boolean first) {
                        return 0;
                    }
                },
                PolicyViewModel.complete(JobFixture.job(id).spec()));
    }
}
