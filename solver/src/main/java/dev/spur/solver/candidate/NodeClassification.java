package dev.spur.solver.candidate;

import dev.spur.model.cluster.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Classification of the nodes that take new jobs: a class for each pool and type, with its atoms. */
final class NodeClassification {
    /**
     * Properties in which the nodes of an atom are equal.
     *
     * @param rules rules by which they admit jobs
     * @param price price of a slot for an hour where prices count; otherwise 0
     * @param slots slots where jobs on several nodes need whole ones; otherwise 0
     */
    private record AtomKey(NodeAdmission.Rules rules, double price, int slots) {}

    private final List<Node> nodes;
    private final List<NodeClass> classes = new ArrayList<>();
    private final List<NodeAtom> atoms = new ArrayList<>();
    private final int[] classOf;
    private final int[] atomOf;

    NodeClassification(List<Node> nodes) {
        this.nodes = nodes;
        classOf = new int[nodes.size()];
        atomOf = new int[nodes.size()];
        Arrays.fill(classOf, -1);
        Arrays.fill(atomOf, -1);
    }

    /** Rules that distinguish nodes of a pool and type. */
    interface Distinction {
        NodeAdmission.Rules rules(Node node);

        boolean pricesCount();

        boolean needsWholeNodes(String pool);
    }

    /** Adds the classes of {@code members}, indices of nodes, in the order of their first nodes. */
    void classify(List<Integer> members, Distinction distinction) {
        Map<NodeClassName, Map<AtomKey, List<Integer>>> byName = new LinkedHashMap<>();
        for (int v : members) {
            Node node = nodes.get(v);
            AtomKey key = new AtomKey(
                    distinction.rules(node),
                    distinction.pricesCount() ? node.pricePerSlotHour() : 0,
                    distinction.needsWholeNodes(node.pool()) ? node.slots() : 0);
            byName.computeIfAbsent(NodeClassName.of(node), name -> new LinkedHashMap<>())
                    .computeIfAbsent(key, k -> new ArrayList<>())
                    .add(v);
        }
        byName.forEach(this::add);
    }

    private void add(NodeClassName name, Map<AtomKey, List<Integer>> byKey) {
        int index = classes.size();
        List<NodeAtom> own = new ArrayList<>();
        byKey.forEach((key, members) -> {
            Node first = nodes.get(members.get(0));
            int atom = atoms.size();
            double price = members.stream()
                    .mapToDouble(v -> nodes.get(v).pricePerSlotHour())
                    .max()
                    .orElse(0);
            for (int v : members) {
                classOf[v] = index;
                atomOf[v] = atom;
            }
            atoms.add(new NodeAtom(
                    atom,
                    index,
                    byKey.size() == 1 ? name : NodeClassName.like(first),
                    first.id(),
                    price,
                    key.rules().areLimitedInTime(),
                    members));
            own.add(atoms.get(atom));
        });
        List<Integer> members =
                own.stream().flatMap(atom -> atom.nodes().stream()).sorted().toList();
        classes.add(new NodeClass(
                index,
                name,
                members.stream().mapToInt(v -> nodes.get(v).slots()).max().orElse(0),
                members.stream().mapToInt(v -> nodes.get(v).slots()).sum(),
                own,
                members));
    }

    List<NodeClass> classes() {
        return classes;
    }

    List<NodeAtom> atoms() {
        return atoms;
    }

    int classOf(int v) {
        return classOf[v];
    }

    int atomOf(int v) {
        return atomOf[v];
    }
}
