package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Placement;
import dev.spur.connectors.kubernetes.Shape.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Makes a job fit a placement: so many pods, tied to those nodes, equally many on each. */
final class Fitting {
    private final Workload job;
    private final Hosts hosts;
    private final Shape shape;
    private final Ties ties;

    Fitting(Workload job, Hosts hosts) throws Refusal {
        this.job = job;
        this.hosts = hosts;
        this.shape = Shape.of(job.kind(), job.object());
        this.ties = new Ties(job.kind().pins());
    }

    /**
     * Checks that pods can be made to lie so.
     *
     * @throws Refusal if they cannot
     */
    void check(Placement there) throws Refusal {
        int perNode = there.total() / there.slots().size();
        if (there.slots().values().stream().anyMatch(slots -> slots != perNode)) {
            throw new Refusal("each of its nodes has as many pods as the next, and not %s".formatted(there.slots()));
        }
        if (perNode % shape.unit() != 0) {
            throw new Refusal(
                    "its pods have %d GPUs each, which does not go with %d on a node".formatted(shape.unit(), perNode));
        }
        int pods = there.total() / shape.unit();
        if (pods != shape.pods() && (!job.isResizable(shape) || pods < shape.fixed())) {
            throw new Refusal("it cannot have %d pods instead of %d".formatted(pods, shape.pods()));
        }
        boolean several = there.slots().size() > 1;
        if (several && !isForced(there, perNode)) {
            for (Role role : shape.roles()) {
                if (!ties.spreads(role.template())) {
                    throw new Refusal(
                            "without a topologySpreadConstraint of its own it cannot have %s: nothing would keep its"
                                            .formatted(there.slots())
                                    + " pods from gathering on one of the nodes");
                }
            }
        }
    }

    /** True if no node has room for one pod more: then as many lie on each whatever the scheduler thinks. */
    private boolean isForced(Placement there, int perNode) {
        return there.slots().keySet().stream().allMatch(node -> perNode + shape.unit() > hosts.slots(node));
    }

    /** The job as it is to be. */
    ObjectNode fitted(Placement there) throws Refusal {
        ObjectNode changed = job.object().deepCopy();
        Shape now = Shape.of(job.kind(), changed);
        int pods = there.total() / now.unit();
        if (pods != now.pods()) {
            for (Role role : now.roles()) {
                role.grows().ifPresent(number -> role.at().put(number, pods - now.fixed()));
            }
            for (String place : job.kind().together()) {
                int last = place.lastIndexOf('/');
                if (changed.at(place).isNumber()) {
                    changed.withObject(place.substring(0, last)).put(place.substring(last + 1), pods);
                }
            }
        }
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, Integer> piece : there.slots().entrySet()) {
            names.add(hosts.hostOf(piece.getKey()));
        }
        for (Role role : now.roles()) {
            ties.tie(role.template(), names, job.uid());
        }
        return changed;
    }
}
