package dev.spur.service.performance;

import dev.spur.model.cluster.Node;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.service.cluster.ClusterInventoryStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The families and the accelerator types of the cluster, read again only if the database reports a change. */
@Component
public class PredictionContext {
    private final FamilyStore families;
    private final ClusterInventoryStore hardware;
    private volatile @Nullable PredictionInputs known;

    PredictionContext(FamilyStore families, ClusterInventoryStore hardware) {
        this.families = families;
        this.hardware = hardware;
    }

    /**
     * Inputs of predictions at one time.
     *
     * @param basis version numbers, which differ if the inputs have changed since
     * @param families the families, with the models fitted to them
     * @param offers the accelerator types
     */
    public record PredictionInputs(JobLearning.Basis basis, Families families, List<TypeOffer> offers) {}

    /** Returns the current inputs. The versions are read first, so the data is at least as new as the versions. */
    public PredictionInputs now() {
        JobLearning.Basis basis = new JobLearning.Basis(families.version(), hardware.version());
        PredictionInputs current = known;
        if (current == null || !current.basis().equals(basis)) {
            Families same = current != null && current.basis().families() == basis.families()
                    ? current.families()
                    : new Families(families.all());
            current = new PredictionInputs(basis, same, offers(hardware.nodes()));
            known = current;
        }
        return current;
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
