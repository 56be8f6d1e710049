package dev.spur.simulator.dataprep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.PreparationUtility;
import dev.spur.solver.dataprep.PreparationPlanner;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lending by the power of two choices, compared with planned lending. */
class PowerOfTwoChoicesTest {
    private static final MemoryWorkload EIGHT = new MemoryWorkload(8, 64, 0.4, true, 3, 7200);

    private static SimulatedHosts filled(MemoryWorkload workload, long seed) {
        SimulatedHosts hosts = new SimulatedHosts(workload, seed);
        hosts.ownLoad().pass(0, 10);
        hosts.activePreparations().addAll(workload.preparations(seed));
        return hosts;
    }

    private static int lent(SimulatedHosts hosts) {
        int sum = 0;
        for (int v = 0; v < hosts.count(); v++) {
            sum += hosts.lent(v);
        }
        return sum;
    }

    @Test
    void noNodeLendsToItselfOrBeyondItsHeadroom() {
        int lent = 0;
        for (long seed = 1; seed <= 20; seed++) {
            SimulatedHosts hosts = filled(EIGHT, seed);

            new PowerOfTwoChoices(hosts, seed).decide(0);

            for (int v = 0; v < hosts.count(); v++) {
                assertThat(hosts.lent(v) == 0 || hosts.free(v) >= 8)
                        .as("seed %d, node %d", seed, v)
                        .isTrue();
            }
            lent += lent(hosts);
        }
        assertThat(lent).isPositive();
    }

    @Test
    void aNodeBelowItsHeadroomTakesBackWhatItNeedsAndNoMore() {
        SimulatedHosts hosts = filled(EIGHT, 1);
        PowerOfTwoChoices choices = new PowerOfTwoChoices(hosts, 1);
        choices.decide(0);
        choices.watch();
        for (int tick = 1; tick <= 500; tick++) {
            hosts.ownLoad().pass(tick * 10, 10);
            int before = lent(hosts);

            int taken = choices.watch();

            assertThat(before - lent(hosts)).isEqualTo(taken);
        }
        assertThat(choices.watch()).as("nothing has changed since").isZero();
    }

    @Test
    void aPlanForTheSamePreparationsOnTheSameNodesIsNoSlower() {
        for (long seed = 1; seed <= 1000; seed++) {
            MemoryWorkload workload = new MemoryWorkload(2 + (int) (seed % 7), 64, 0.4, seed % 2 == 0, 2, 2400);
            SimulatedHosts hosts = filled(workload, seed);
            PowerOfTwoChoices choices = new PowerOfTwoChoices(hosts, seed);
            choices.startAll(0);
            hosts.activePreparations().removeIf(preparation -> preparation.grant() == null);
            LendingSettings alike = new LendingSettings(true, 8, 0, workload.nodes());
            RoundProblem problem = hosts.problem(0, alike);

            double planned = PreparationPlanner.plan(problem, Map.of()).running().stream()
                    .mapToDouble(each -> speed(problem, each))
                    .sum();
            choices.lendSlabs();

            double chosen = hosts.activePreparations().stream()
                    .mapToDouble(each -> new PreparationUtility(problem).atFullSpeed(each) / slowDown(each))
                    .sum();
            assertThat(planned).as("seed %d", seed).isGreaterThanOrEqualTo(chosen - 1e-9);
        }
    }

    private static double speed(RoundProblem problem, PlannedPreparation planned) {
        Preparation known = problem.preparations().stream()
                .filter(each -> each.id().equals(planned.jobId()))
                .findFirst()
                .orElseThrow();
        return new PreparationUtility(problem).atFullSpeed(known) / planned.slowDown();
    }

    private static double slowDown(Preparation preparation) {
        PreparationAllocation allocation = preparation.grant();
        return preparation.spec().slowDown(allocation.localGiB(), allocation.borrowedGiB());
    }
}
