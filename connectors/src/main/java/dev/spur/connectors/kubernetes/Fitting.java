package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Placement;
import dev.spur.connectors.kubernetes.Shape.Role;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes a job fit a placement: so many pods, tied to those nodes, equally many on each. */
final class Fitting {
    private static final String MINIMUM = "minAvailable";

    private final Workload job;
    private final Hosts hosts;
    private final Shape shape;
    private final Ties ties;
    private final Pins pins;

    Fitting(Workload job, Hosts hosts) throws Refusal {
        this.job = job;
        this.hosts = hosts;
        this.shape = job.shape();
        this.pins = job.kind().pins();
        this.ties = new Ties(pins);
    }

    /**
     * Checks that pods can be made to lie so.
     *
     * @throws Refusal if they cannot
     */
    void check(Placement there) throws Refusal {
        for (int slots : there.slots().values()) {
            if (slots % shape.unit() != 0) {
                throw new Refusal("its pods have %d GPUs each, which does not go with %d on a node"
                        .formatted(shape.unit(), slots));
            }
        }
        int pods = there.total() / shape.unit();
        if (pods != shape.pods() && (!job.isResizable(shape) || pods < shape.fixed())) {
            throw new Refusal("it cannot have %d pods instead of %d".formatted(pods, shape.pods()));
        }
        if (pins.isOneNodeEach()) {
            packed(shape, there);
        } else if (pins != Pins.PODS) {
            checkEven(there);
        }
    }

    private static Map<Role, String> packed(Shape shape, Placement there) throws Refusal {
        return Packing.of(shape, there)
                .orElseThrow(() ->
                        new Refusal("each of its groups of pods goes to one node as a whole, which does not go with %s"
                                .formatted(there.slots())));
    }

    private void checkEven(Placement there) throws Refusal {
        int perNode = there.total() / there.slots().size();
        if (there.slots().values().stream().anyMatch(slots -> slots != perNode)) {
            throw new Refusal("each of its nodes has as many pods as the next, and not %s".formatted(there.slots()));
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
        Shape now = job.kind().made().isEmpty() ? Shape.of(job.kind(), changed) : shape;
        int pods = there.total() / now.unit();
        if (pods != now.pods()) {
            count(changed, now, pods);
        }
        if (pins.isOneNodeEach()) {
            for (Map.Entry<Role, String> one : packed(now, there).entrySet()) {
                ties.tie(changed, one.getKey(), hosts.hostOf(one.getValue()));
            }
        } else if (pins != Pins.PODS) {
            List<String> names = new ArrayList<>();
            for (String node : there.slots().keySet()) {
                names.add(hosts.hostOf(node));
            }
            for (Role role : now.roles()) {
                ties.tie(role.template(), names, job.uid());
            }
        }
        return changed;
    }

    private void count(ObjectNode changed, Shape now, int pods) {
        int more = pods - now.pods();
        for (Role role : now.roles()) {
            role.grows().ifPresent(number -> {
                minimum(role.at(), role.pods(), role.pods() + more);
                role.at().put(number, pods - now.fixed());
            });
        }
        if (pins == Pins.PODS) {
            int all = 0;
            for (JsonNode task : changed.at("/spec/tasks")) {
                all += task.path("replicas").asInt(1);
            }
            minimum(changed.withObject("/spec"), all - more, all);
        }
        for (String place : job.kind().together()) {
            int last = place.lastIndexOf('/');
            if (changed.at(place).isNumber()) {
                changed.withObject(place.substring(0, last)).put(place.substring(last + 1), pods);
            }
        }
    }

    /** Without how many pods none starts: of all of them it stays all of them, and it is never more than there are. */
    private static void minimum(ObjectNode at, int before, int now) {
        JsonNode minimum = at.path(MINIMUM);
        if (minimum.isNumber()) {
            at.put(MINIMUM, minimum.asInt() == before ? now : Math.min(minimum.asInt(), now));
        }
    }
}
