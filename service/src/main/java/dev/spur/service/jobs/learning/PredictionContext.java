package dev.spur.service.jobs.learning;

import dev.spur.model.cluster.Node;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.solver.recommend.NodeCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The families and the accelerator types of the cluster, read again only if the database reports a change. */
@Component
public class PredictionContext {
    private final FamilyStore families;
    private final NodeStore nodes;
    private final AcceleratorTypeStore types;
    private volatile @Nullable PredictionInputs known;

    PredictionContext(FamilyStore families, NodeStore nodes, AcceleratorTypeStore types) {
        this.families = families;
        this.nodes = nodes;
        this.types = types;
    }

    /**
     * Inputs of predictions at one time.
     *
     * @param version sum of the versions of all families
     * @param versions version by family
     * @param cluster version of the cluster
     * @param families the families, with the models fitted to them
     * @param offers the accelerator types
     */
    public record PredictionInputs(
            long version, Map<String, Long> versions, long cluster, Families families, List<TypeOffer> offers) {
        /**
         * Returns the versions that a prediction for a job of {@code family} is based on. Changes of other families
         * matter little to it, and would outdate the predictions of all jobs with each measurement.
         */
        JobLearning.Basis basis(@Nullable String family) {
            return new JobLearning.Basis(family == null ? 0 : versions.getOrDefault(family, 0L), cluster);
        }
    }

    /** Returns the current inputs. The versions are read first, so the data is at least as new as the versions. */
    public PredictionInputs now() {
        long version = families.version();
        long cluster = nodes.clusterVersion();
        PredictionInputs current = known;
        if (current == null || current.version() != version) {
            List<FamilyStore.VersionedFamily> all = families.all();
            Map<String, Long> versions = new HashMap<>();
            all.forEach(family -> versions.put(family.speeds().family(), family.version()));
            Families fitted = new Families(
                    all.stream().map(FamilyStore.VersionedFamily::speeds).toList());
            current = new PredictionInputs(version, versions, cluster, fitted, offers(nodes.all()));
            known = current;
        } else if (current.cluster() != cluster) {
            current =
                    new PredictionInputs(version, current.versions(), cluster, current.families(), offers(nodes.all()));
            known = current;
        }
        return current;
    }

    /** Returns the kinds of nodes of the cluster. */
    public NodeCatalog catalog() {
        return NodeCatalog.ofCluster(nodes.all()).withTypes(types.all("name"));
    }

    /** Returns the types of {@code nodes} with devices, each with its largest node and all its slots. */
    public static List<TypeOffer> offers(List<Node> nodes) {
        Map<String, int[]> byType = new LinkedHashMap<>();
        for (Node node : nodes) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                int[] slots = byType.computeIfAbsent(node.acceleratorType(), type -> new int[2]);
                slots[0] = Math.max(slots[0], node.slots());
                slots[1] += node.slots();
            }
        }
        List<TypeOffer> offers = new ArrayList<>();
        byType.forEach((type, slots) -> offers.add(new TypeOffer(type, slots[0], slots[1])));
        return offers;
    }
}
