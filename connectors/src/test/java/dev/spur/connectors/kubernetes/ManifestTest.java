package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.testing.KubernetesMock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators are asked to allow the connector. */
class ManifestTest {
    private static final List<String> ALL = List.of("delete", "get", "list", "update");

    private static ClusterRole role;

    @BeforeAll
    static void read() throws Exception {
        try (KubernetesMock mock = KubernetesMock.start();
                InputStream manifest = Files.newInputStream(Path.of("../packaging/kubernetes/connector.yaml"))) {
            List<HasMetadata> items = mock.client().load(manifest).items();
            role = (ClusterRole) items.stream()
                    .filter(ClusterRole.class::isInstance)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Set<String> verbs(String group, String resource) {
        Set<String> verbs = new TreeSet<>();
        role.getRules().stream()
                .filter(rule -> rule.getApiGroups().contains(group)
                        && rule.getResources().contains(resource))
                .map(PolicyRule::getVerbs)
                .forEach(verbs::addAll);
        return verbs;
    }

    @Test
    void isAllThatItDoesWithJobsAndNoMore() {
        for (WorkloadKind kind : WorkloadKinds.ALL) {
            String group = kind.api().split("/", -1)[2];

            assertThat(verbs(group, kind.plural())).as(kind.id()).containsExactlyElementsOf(ALL);
            assertThat(verbs(group, kind.plural() + "/status"))
                    .as("status of %s", kind.id())
                    .containsExactlyElementsOf(kind.restart() ? List.of("update") : List.of());
        }
    }

    @Test
    void isToSeeNodesAndPods() {
        assertThat(verbs("", "nodes")).containsExactly("list");
        assertThat(verbs("", "pods")).containsExactly("list", "update");
        assertThat(verbs("", "events")).containsExactly("list");
        assertThat(verbs("bus.volcano.sh", "commands")).containsExactly("create", "get");
        assertThat(verbs("kueue.x-k8s.io", "workloads")).containsExactly("list");
        assertThat(verbs("kueue.x-k8s.io", "workloads/status")).containsExactly("update");
        assertThat(verbs("kueue.x-k8s.io", "admissionchecks")).containsExactly("list");
        assertThat(verbs("kueue.x-k8s.io", "admissionchecks/status")).containsExactly("update");
        assertThat(verbs("spur.dev", "marks")).containsExactly("update");
    }
}
