package dev.spur.connectors.kubernetes;

import java.util.List;
import java.util.Set;

/**
 * A kind of job, as a row of a table. Places are JSON pointers.
 *
 * @param id its name in ids of jobs
 * @param api path of its group and version
 * @param plural its name in paths
 * @param suspend the switch that keeps it from having pods
 * @param groups its groups of pods
 * @param together places of other numbers that must stay equal to the number of pods where they are equal
 * @param done conditions, phases or states that say that it ended well
 * @param failed those that say that it ended badly
 * @param deadline seconds after which it is ended
 * @param pins how it can be tied to nodes
 * @param resizes true if its number of pods may change while it is suspended
 * @param restart true if its start time must be taken off before its pods may be changed again
 * @param rivals places where something stands that would decide in Spur's stead: true, or more than nothing
 * @param made the kind of object that its controller makes for it under the same name, in which its groups stand; empty
 *     if they stand in itself
 * @param progress where the percentage of its work stands that is done; empty if nowhere
 */
record WorkloadKind(
        String id,
        String api,
        String plural,
        String suspend,
        List<Group> groups,
        List<String> together,
        Set<String> done,
        Set<String> failed,
        String deadline,
        Pins pins,
        boolean resizes,
        boolean restart,
        List<String> rivals,
        String made,
        String progress) {

    /** How jobs can be tied to nodes. */
    enum Pins {
        /** Node affinity, and a constraint that spreads pods evenly over the nodes. */
        SPREAD,
        /** Node affinity; how pods spread is what its owner wrote. */
        AFFINITY,
        /** A node selector for each group of pods, which names one node. */
        SELECTOR,
        /** The same, in a patch of what its controller makes of it. */
        PATCH,
        /** Each pod by itself, before it is let go: nothing else of it can be changed. */
        PODS;

        /** True if all pods of a group go to one node. */
        boolean isOneNodeEach() {
            return this == SELECTOR || this == PATCH;
        }
    }

    /**
     * Pods that are alike.
     *
     * @param at where the group stands; with {@code /*} at the end each member there is one
     * @param counts numbers in it whose product is its number of pods, 1 where one is missing
     * @param template its template of pods
     * @param grows name of the member that may have more pods or fewer; {@code *} for each, empty for none
     */
    record Group(String at, List<String> counts, String template, String grows) {}

    String path(String namespace, String name) {
        return "%s/namespaces/%s/%s/%s".formatted(api, namespace, plural, name);
    }

    String collection() {
        return api + "/" + plural;
    }
}
