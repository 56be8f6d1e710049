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
        Trace trace = new Trace("made up", List.of(job("b", 5), job("c", 1), job("a", 5)), Map.of());

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("c", "a", "b");
    }

    @Test
    void idsAreUnique() {
        assertThatThrownBy(() -> new Trace("made up", List.of(job("a", 1), job("a", 2)), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("share an id");
    }

    @Test
    void completeInsightKnowsTheWorkThatIsLeft() {
        Insight insight = Insight.complete(JobFixture.job("a").work(100).spec());

        assertThat(insight.after(Experience.NONE).remainingSamples()).isEqualTo(100);
        assertThat(insight.after(new Experience(30, List.of())).remainingSamples())
                .isEqualTo(70);
        assertThat(insight.after(new Experience(101, List.of())).remainingSamples())
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
                new Truth() {
                    @Override
                    public Pace pace(Configuration configuration, double doneSamples) {
                        return new Pace(1, 1, true);
                    }

                    @Override
                    public double startSeconds(boolean first) {
                        return 0;
                    }
                },
                Insight.complete(JobFixture.job(id).spec()));
    }
}
