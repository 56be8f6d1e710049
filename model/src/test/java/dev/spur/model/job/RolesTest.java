package dev.spur.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.spur.model.JobFixture;
import dev.spur.model.json.RoundJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RolesTest {
    private static JobRole role(String name, int count) {
        return new JobRole(name, count, 2, 4);
    }

    private static Roles roles(JobRole... roles) {
        return Roles.of(List.of(roles));
    }

    @Test
    void replicasAreSpreadEvenlyOverEqualNodes() {
        Roles roles = roles(role("a", 3), role("b", 2));

        assertThat(roles.replicasOn(0, List.of(4, 4))).containsExactly(List.of(0, 2), List.of(1));
        assertThat(roles.replicasOn(1, List.of(4, 4))).containsExactly(List.of(1), List.of(0));
    }

    @Test
    void nodesWithMoreSlotsHaveMoreReplicas() {
        Roles roles = roles(role("a", 3));

        assertThat(roles.replicasOn(0, List.of(2, 4))).containsExactly(List.of(2));
        assertThat(roles.replicasOn(1, List.of(2, 4))).containsExactly(List.of(0, 1));
        assertThat(roles.largestShare(List.of(4, 2))).isEqualTo(new HostDemand(1, 2));
    }

    @Test
    void aSlotReservesTheLargestShareOfAllNodes() {
        Roles one = roles(role("a", 1));

        assertThat(one.largestShare(List.of(8))).isEqualTo(new HostDemand(0.25, 0.5));
        assertThat(one.largestShare(List.of(8, 8))).isEqualTo(new HostDemand(0.25, 0.5));
        assertThat(one.largestShare(List.of(1, 1))).isEqualTo(new HostDemand(2, 4));
        assertThat(Roles.NONE.largestShare(List.of(1))).isEqualTo(HostDemand.NONE);
    }

    @Test
    void everyReplicaRunsOnceAndNoNodeHasMoreThanItsReservedShare() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Roles roles = roles(
                    new JobRole("a", 1 + random.nextInt(9), random.nextInt(5), random.nextInt(5)),
                    new JobRole("b", 1 + random.nextInt(3), random.nextInt(5), random.nextInt(5)));
            List<Integer> shape = new ArrayList<>();
            IntStream.rangeClosed(0, random.nextInt(5)).forEach(i -> shape.add(1 + random.nextInt(8)));
            shape.sort(Collections.reverseOrder());
            HostDemand share = roles.largestShare(shape);
            int slots = shape.stream().mapToInt(Integer::intValue).sum();

            List<List<Integer>> seen = List.of(new ArrayList<>(), new ArrayList<>());
            for (int v = 0; v < shape.size(); v++) {
                List<List<Integer>> own = roles.replicasOn(v, shape);
                double cpus = 0;
                for (int k = 0; k < own.size(); k++) {
                    seen.get(k).addAll(own.get(k));
                    cpus += own.get(k).size() * roles.list().get(k).cpus();
                }
                assertThat(cpus).isLessThanOrEqualTo(shape.get(v) * share.cpusPerSlot() + 1e-9);
            }

            for (int k = 0; k < 2; k++) {
                int count = roles.list().get(k).count();
                assertThat(seen.get(k))
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, count).boxed().toList());
            }
            for (int fewer = 1; fewer <= slots; fewer++) {
                assertThat(roles.maxShare(fewer).max(share))
                        .as("limit for %s slots or more, on %s", fewer, shape)
                        .isEqualTo(roles.maxShare(fewer));
            }
        }
    }

    @Test
    void namesAreUniqueAndBoundsAreStated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> roles(role("a", 1), role("a", 2)))
                .withMessage("the name of role a must be unique");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> role("a", 1001))
                .withMessage("count (1001) of role a must be from 1 to 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> role("A_b", 1))
                .withMessageContaining("name (A_b) of a role");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Roles.of(
                        IntStream.range(0, 17).mapToObj(i -> role("a" + i, 1)).toList()))
                .withMessage("roles (17) must be at most 16");
    }

    @Test
    void aSpecificationKeepsItsRolesInJson() {
        JobSpec spec = JobFixture.job("a").role("eval", 1, 2, 4).spec();
        String json = RoundJson.mapper().writeValueAsString(spec);

        assertThat(json).contains("\"roles\":[{\"name\":\"eval\",\"count\":1,\"cpus\":2.0,\"memoryGiB\":4.0}]");
        assertThat(RoundJson.mapper().readValue(json, JobSpec.class)).isEqualTo(spec);
        assertThat(RoundJson.mapper().writeValueAsString(JobFixture.job("a").spec()))
                .doesNotContain("roles");
        assertThat(spec.edit().minRunSeconds(5).build().roles()).isEqualTo(spec.roles());
    }
}
