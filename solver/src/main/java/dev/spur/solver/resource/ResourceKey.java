package dev.spur.solver.resource;

import dev.spur.model.round.ResourceKind;
import dev.spur.solver.candidate.NodeClassName;
import java.util.HashMap;
import java.util.Map;

/**
 * Resource of a coupling constraint. {@code toString} returns its name in plans and in the memory of a round. Names are
 * written and compared, but never parsed.
 */
public sealed interface ResourceKey {
    /** Returns {@code prices} by name. */
    static Map<String, Double> byName(Map<ResourceKey, Double> prices) {
        Map<String, Double> named = new HashMap<>();
        prices.forEach((key, price) -> named.put(key.toString(), price));
        return named;
    }

    /** Resource with a shadow price in the plan. */
    sealed interface Reported extends ResourceKey {
        /** Returns the kind of the resource. */
        ResourceKind kind();

        /** Returns the name of the nodes, pool, account and type, or group of the resource; empty for restarts. */
        String scope();
    }

    /** Slots of the nodes of an atom. */
    record Slots(NodeClassName nodes) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.SLOT;
        }

        @Override
        public String scope() {
            return nodes.toString();
        }

        @Override
        public String toString() {
            return "slots:" + nodes;
        }
    }

    /** Pieces of a kind, cut from the nodes of a class. */
    record NodePieces(NodeClassName nodes, NodeShareKind kind) implements ResourceKey {
        @Override
        public String toString() {
            String share = kind.isWhole() ? "" : " (" + kind.parts() + " % of a device)";
            return "pieces:" + nodes + " of " + kind.size() + share + " with "
                    + kind.demand().cpusPerSlot() + " CPUs and " + kind.demand().memoryGiBPerSlot() + " GiB each"
                    + kind.access();
        }
    }

    /** CPUs of the hosts of an atom. */
    record HostCpus(NodeClassName nodes) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.HOST_CPU;
        }

        @Override
        public String scope() {
            return nodes.toString();
        }

        @Override
        public String toString() {
            return "cpus:" + nodes;
        }
    }

    /** Memory of the hosts of an atom, GiB. */
    record HostMemory(NodeClassName nodes) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.HOST_MEMORY_GIB;
        }

        @Override
        public String scope() {
            return nodes.toString();
        }

        @Override
        public String toString() {
            return "memory:" + nodes;
        }
    }

    /** CPUs of the nodes of a pool that offer aggregation, for aggregators and for slots. */
    record PoolCpus(String pool) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.HOST_CPU;
        }

        @Override
        public String scope() {
            return pool;
        }

        @Override
        public String toString() {
            return "pool-cpus:" + pool;
        }
    }

    /** Aggregation slots of a pool. */
    record Aggregation(String pool) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.AGGREGATION_SLOT;
        }

        @Override
        public String scope() {
            return pool;
        }

        @Override
        public String toString() {
            return "aggregation:" + pool;
        }
    }

    /** Slots that an account may use. */
    record QuotaSlots(String account, String type) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.QUOTA_SLOT;
        }

        @Override
        public String scope() {
            return account + "/" + type;
        }

        @Override
        public String toString() {
            return "quota:" + scope();
        }
    }

    /** Claim of an account on the accounts above it. */
    record QuotaClaim(String account, String type) implements ResourceKey {
        @Override
        public String toString() {
            return "claim:" + account + "/" + type;
        }
    }

    /** Slots that the jobs of a group may hold. */
    record GroupSlots(String group) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.GROUP_SLOT;
        }

        @Override
        public String scope() {
            return group;
        }

        @Override
        public String toString() {
            return "group-slots:" + group;
        }
    }

    /** Jobs of a group that may run. */
    record GroupJobs(String group) implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.GROUP_JOB;
        }

        @Override
        public String scope() {
            return group;
        }

        @Override
        public String toString() {
            return "group-jobs:" + group;
        }
    }

    /** Restarts of the round. */
    record Restarts() implements Reported {
        @Override
        public ResourceKind kind() {
            return ResourceKind.RESTART;
        }

        @Override
        public String scope() {
            return "";
        }

        @Override
        public String toString() {
            return "restarts";
        }
    }
}
