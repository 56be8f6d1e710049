package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.ActionRecord.State;
import dev.spur.service.testing.ServiceTest;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What is kept of actions that failed. */
class ConnectorActionStoreTest extends ServiceTest {
    private static final String CONNECTOR = "kubernetes";
    private static final JobPlacement THERE = JobPlacement.of(Map.of("gpu1", 8));

    @Autowired
    private ConnectorStore connectors;

    @Autowired
    private ConnectorActionStore actions;

    @BeforeEach
    void enter() {
        connectors.enter(CONNECTOR, "KUBERNETES", ControlLevel.ADMIT);
    }

    private void write(long revision, String job, Kind kind, State state) {
        JobAction action = new JobAction(revision, job, kind, kind.runs() ? THERE : JobPlacement.NONE, 0);
        actions.write(CONNECTOR, ActionRecord.open(action));
        actions.write(CONNECTOR, new ActionRecord(action, state, null, null, 0, "some cause"));
    }

    @Test
    void aCancellationIsNoLongerShownAsFailedOnceItSucceeds() {
        write(1, "a", Kind.CANCEL, State.REFUSED);
        write(1, "b", Kind.CANCEL, State.REFUSED);
        assertThat(actions.failedActions(CONNECTOR, 10)).hasSize(2);

        write(2, "a", Kind.CANCEL, State.JOB_ENDED);

        assertThat(actions.failedActions(CONNECTOR, 10))
                .extracting(entry -> entry.action().job())
                .containsExactly("b");
    }

    @Test
    void anActionIsReadAsItWasWritten() {
        JobAction rigid = new JobAction(1, "a", Kind.START, THERE, 0);
        JobAction elastic = new JobAction(1, "b", Kind.START, THERE.withBatch(512), 0);
        actions.write(CONNECTOR, ActionRecord.open(rigid));
        JobAction granted = new JobAction(1, "c", Kind.START, THERE.withHost(HostResources.of(2.5, 32)), 0);
        actions.write(CONNECTOR, ActionRecord.open(elastic));
        actions.write(CONNECTOR, ActionRecord.open(granted));

        assertThat(actions.open(CONNECTOR)).extracting(ActionRecord::action).containsExactly(rigid, elastic, granted);
    }

    @Test
    void aStartIsShownAsFailedUntilOneSucceedsAndNotUntilTheJobIsHeld() {
        write(1, "a", Kind.START, State.FAILED);
        write(2, "a", Kind.HOLD, State.DONE);
        assertThat(actions.failedActions(CONNECTOR, 10)).hasSize(1);

        write(3, "a", Kind.START, State.DONE);

        assertThat(actions.failedActions(CONNECTOR, 10)).isEmpty();
    }

    @Test
    void startsThatFailAreCountedUntilOneSucceeds() {
        write(1, "a", Kind.START, State.FAILED);
        write(2, "a", Kind.HOLD, State.DONE);
        write(3, "a", Kind.MOVE, State.REFUSED);
        write(3, "b", Kind.START, State.FAILED);
        assertThat(actions.failedStarts(CONNECTOR, "a")).isEqualTo(2);

        write(4, "a", Kind.START, State.DONE);
        write(5, "a", Kind.START, State.FAILED);

        assertThat(actions.failedStarts(CONNECTOR, "a")).isEqualTo(1);
    }
}
