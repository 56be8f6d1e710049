package dev.spur.connectors.kubernetes;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A kind of job. Locations are JSON pointers.
 *
 * @param id name in job ids
 * @param api API path of group and version
 * @param plural plural name in API paths
 * @param suspend location of the suspend switch
 * @param groups pod sets
 * @param together locations of other counts that must stay equal to the number of pods if they are equal to it
 * @param done conditions, phases or states of success
 * @param failed conditions, phases or states of failure
 * @param deadline location of the time limit in seconds
 * @param pins method of pinning pods to nodes
 * @param resizes true if the number of pods may change while the job is suspended
 * @param restart true if the start time must be removed before the pod templates can change again
 * @param managerLocations locations that select another manager if they are true or not empty
 * @param made kind of the object of the same name that the controller creates and that contains the pod sets; empty if
 *     the job object contains them
 * @param progress location of the completed percentage; empty if not reported
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
        List<String> managerLocations,
        String made,
        String progress) {

    /** Method of pinning pods to nodes. */
    enum Pins {
        /** Node affinity with a topology spread constraint for an even spread. */
        SPREAD,
        /** Node affinity; the owner's template determines the spread. */
        AFFINITY,
        /** A node selector with one node for each pod set. */
        SELECTOR,
        /** A node selector in a patch of the object that the controller creates. */
        PATCH,
        /** Each pod before its release, for kinds whose templates cannot change. */
        PODS;

        /** Returns true if all pods of a pod set run on one node. */
        boolean isOneNodeEach() {
            return this == SELECTOR || this == PATCH;
        }
    }

    /**
     * A location of pod sets.
     *
     * @param at location; {@code /*} at the end selects each member
     * @param counts members whose product is the number of pods; a missing member counts as 1
     * @param template location of the pod template
     * @param grows name of the member with a variable number of pods; {@code *} for every member, empty for none
     */
    record Group(String at, List<String> counts, String template, String grows) {}

    String path(String namespace, String name) {
        return "%s/namespaces/%s/%s/%s".formatted(api, namespace, plural, name);
    }

    /** Returns true if an object or a reference to one is of this kind. */
    boolean isOf(JsonNode object) {
        return (object.path("kind").asString("").toLowerCase(Locale.ROOT) + "s").equals(plural)
                && api.startsWith(
                        "/apis/" + object.path("apiVersion").asString("").split("/", -1)[0] + "/");
    }

    String collection() {
        return api + "/" + plural;
    }
}
