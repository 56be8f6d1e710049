package dev.spur.service.simulation;

/** Kinds of work of the simulation worker. */
enum SimulationKind {
    /** Replays of a trace under chosen policies. */
    SIMULATION("simulation"),
    /** Replays of a past time range, with the regret by cause. */
    SELF_AUDIT("self-audit");

    private final String words;

    SimulationKind(String words) {
        this.words = words;
    }

    /** Its name in messages and in the audit trail. */
    String noun() {
        return words;
    }

    /** Path of the resource with this id. */
    String path(String id) {
        return "/api/v1/" + words + "s/" + id;
    }
}
