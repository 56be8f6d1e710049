package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract on Kubernetes, which has no queue of jobs. */
abstract class KubernetesContractTest extends PlatformContractTest {
    @Override
    @Test
    void orderingHandsThePrioritiesOutByThePlan() throws Exception {
        String full = stage.submit(2, 8, false, "");
        await(full, State.RUNNING);
        String first = stage.submit(1, 8, false, "spur");
        log.controlLevel(ControlLevel.PRIORITIZE);

        step(desired(Map.of(first, new DesiredJob.Wait())));

        assertThat(look(first).state()).isEqualTo(State.WAITING);
        assertThat(log.all()).isEmpty();
    }
}
