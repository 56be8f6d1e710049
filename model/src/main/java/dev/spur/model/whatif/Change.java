package dev.spur.model.whatif;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.spur.model.round.RoundProblem;

/** A change to a problem. In JSON the member {@code change} names its type. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
@JsonSubTypes({
    @JsonSubTypes.Type(value = AddNodes.class, name = "ADD_NODES"),
    @JsonSubTypes.Type(value = RemoveNodes.class, name = "REMOVE_NODES"),
    @JsonSubTypes.Type(value = SetNodeState.class, name = "SET_NODE_STATE"),
    @JsonSubTypes.Type(value = AddJob.class, name = "ADD_JOB"),
    @JsonSubTypes.Type(value = RemoveJob.class, name = "REMOVE_JOB"),
    @JsonSubTypes.Type(value = ReleaseHold.class, name = "RELEASE_HOLD"),
    @JsonSubTypes.Type(value = AddPreparation.class, name = "ADD_PREPARATION"),
    @JsonSubTypes.Type(value = SetReservation.class, name = "SET_RESERVATION"),
    @JsonSubTypes.Type(value = RemoveReservation.class, name = "REMOVE_RESERVATION"),
    @JsonSubTypes.Type(value = SetMaintenance.class, name = "SET_MAINTENANCE"),
    @JsonSubTypes.Type(value = RemoveMaintenance.class, name = "REMOVE_MAINTENANCE"),
    @JsonSubTypes.Type(value = SetWeight.class, name = "SET_WEIGHT"),
    @JsonSubTypes.Type(value = SetPriority.class, name = "SET_PRIORITY"),
    @JsonSubTypes.Type(value = SetElasticity.class, name = "SET_ELASTICITY"),
    @JsonSubTypes.Type(value = SetQuota.class, name = "SET_QUOTA"),
    @JsonSubTypes.Type(value = SetGroup.class, name = "SET_GROUP"),
    @JsonSubTypes.Type(value = SetObjective.class, name = "SET_OBJECTIVE"),
    @JsonSubTypes.Type(value = SetBudget.class, name = "SET_BUDGET")
})
public sealed interface Change
        permits AddJob,
                AddNodes,
                AddPreparation,
                ReleaseHold,
                RemoveJob,
                RemoveMaintenance,
                RemoveNodes,
                RemoveReservation,
                SetBudget,
                SetElasticity,
                SetGroup,
                SetMaintenance,
                SetNodeState,
                SetObjective,
                SetPriority,
                SetQuota,
                SetReservation,
                SetWeight {
    /**
     * Returns the problem after this change.
     *
     * @param problem the problem before
     * @param withheldJobs jobs and preparations that are withheld from scheduling and therefore not part of the problem
     * @throws IllegalArgumentException if the change names an object that does not exist, or adds one that exists
     */
    RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs);

    /** Returns a description of this change, as a part of a sentence. */
    String describe();
}
