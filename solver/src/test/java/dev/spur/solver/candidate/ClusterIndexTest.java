package dev.spur.solver.candidate;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ClusterIndexTest {
    private static List<String> names(ProblemFixture problem) {
        return new ClusterIndex(problem.build())
                .atoms().stream().map(atom -> atom.name().toString()).toList();
    }

    private static Reservation reservation(String name, String tenant, String job, String... nodes) {
        return new Reservation(name, List.of(nodes), tenant, null, null, job, null);
    }

    @Nested
    class Names {
        @Test
        void areThePoolAndTypeOfAClassOfOneAtom() {
            assertThat(names(problem().node(node("a", 4)).node(node("b", 4)))).containsExactly("main/A100");
        }

        @Test
        void tellAtomsOfAClassApart() {
            assertThat(names(problem()
                            .node(node("a", 4))
                            .node(node("b", 4))
                            .node(node("c", 4))
                            .node(node("d", 8).pool("other"))
                            .reservation(reservation("r", "root", null, "b"))))
                    .containsExactly("main/A100 (nodes like a)", "main/A100 (nodes like b)", "other/A100");
        }
    }

    @Nested
    class Reservations {
        private final ProblemFixture nodes = problem()
                .nodes(4, 4, 4)
                .tenant(new Tenant("x", "root", 1, Map.of()))
                .tenant(new Tenant("y", "x", 1, Map.of()))
                .jobs(job("a").tenant("y"), job("b").tenant("root"));

        @Test
        void ofTheSameHolderAreOneAtom() {
            assertThat(names(nodes.reservation(reservation("r", "x", null, "n1"))
                            .reservation(reservation("s", "x", null, "n2", "n3"))))
                    .containsExactly("main/A100");
        }

        @Test
        void ofATenantAndOfAJobOfThatNameAreTwoAtoms() {
            assertThat(names(nodes.job(job("x").tenant("x"))
                            .reservation(reservation("r", "x", null, "n1"))
                            .reservation(reservation("s", "x", "x", "n2", "n3"))))
                    .containsExactly("main/A100 (nodes like n1)", "main/A100 (nodes like n2)");
        }

        @Test
        void admitTheSubtreeOfTheirTenant() {
            var problem = nodes.reservation(reservation("r", "x", null, "n1")).build();
            ClusterIndex index = new ClusterIndex(problem);

            assertThat(index.isOpen(0, problem.jobs().get(0))).isTrue();
            assertThat(index.isOpen(0, problem.jobs().get(1))).isFalse();
            NodeClass only = index.classes().get(0);
            assertThat(index.open(only, problem.jobs().get(0)).isWhole()).isTrue();
            assertThat(index.open(only, problem.jobs().get(1)).contains(0)).isFalse();
            assertThat(index.open(only, problem.jobs().get(1)).contains(1)).isTrue();
            assertThat(index.isOpen(1, problem.jobs().get(1))).isTrue();
        }

        @Test
        void admitOnlyTheJobTheyName() {
            var problem = nodes.job(job("c").tenant("y"))
                    .reservation(reservation("r", "x", "c", "n1"))
                    .build();
            ClusterIndex index = new ClusterIndex(problem);

            assertThat(index.isOpen(0, problem.jobs().get(0))).isFalse();
            assertThat(index.isOpen(0, problem.jobs().get(2))).isTrue();
        }

        @Test
        void thatOverlapAdmitOnlyJobsOfAllHolders() {
            var problem = nodes.reservation(reservation("r", "x", null, "n1"))
                    .reservation(reservation("s", "y", null, "n1"))
                    .job(job("c").tenant("x"))
                    .build();
            ClusterIndex index = new ClusterIndex(problem);

            assertThat(index.isOpen(0, problem.jobs().get(0))).isTrue();
            assertThat(index.isOpen(0, problem.jobs().get(2))).isFalse();
        }
    }
}
