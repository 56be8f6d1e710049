package dev.spur.service.simulation;

/** Kinds of work of the simulation worker. */
enum SimulationKind {
    /** Replays of a trace under chosen policies. */
    SIMULATION("simulation"),
    /** Replays of a past time range, with the regret by cause. */
    SELF_AUDIT("self-audit");

    private final String text;

    SimulationKind(String text) {
        this.text = text;
    }

    /** Its name in messages and in the audit trail. */
    String noun() {
        return text;
    }

    /** Path of the resource with this id. */
    String path(String id) {
        return "/api/v1/" + text + "s/" + id;
    }
}
