package dev.spur.model.job;

/** The way in which a training adopts an allocation. It determines the stall. */
public enum ChangeMechanism {
    /** The training already has the allocation; at most its host grant or its aggregation shares differ. */
    UNCHANGED,
    /** All processes continue and read the new batch size between two steps. */
    RECONFIGURE,
    /** The processes start on the new slots and load the checkpoint, if there is one. */
    RESTART;

    /** Returns true if the processes continue to run. */
    public boolean keepsProcesses() {
        return this != RESTART;
    }
}
