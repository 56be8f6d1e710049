package dev.spur.agent;

import dev.spur.agent.protocol.Assignment;
import dev.spur.agent.protocol.AssignmentPhase;
import dev.spur.agent.protocol.Messages;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import dev.spur.agent.reconcile.ReconcileAction;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Reports state transitions of assignments to the service. */
final class TransitionReporter {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ServiceClient service;
    private final String node;
    private final ServiceSession link;
    private final RunningAssignments presence;
    private final Consumer<String> log;
    private final Map<String, String> refusals = new HashMap<>();

    TransitionReporter(
            ServiceClient service,
            String node,
            ServiceSession link,
            RunningAssignments presence,
            Consumer<String> log) {
        this.service = service;
        this.node = node;
        this.link = link;
        this.presence = presence;
        this.log = log;
    }

    /** Reports a transition. Empty if the service was unreachable or rejected it. */
    Optional<Assignment> report(long registrationEpoch, ReconcileAction.ReportState step) throws InterruptedException {
        return send(
                registrationEpoch,
                step.assignment(),
                step.state(),
                step.exitCode(),
                step.requested(),
                step.detail(),
                null,
                null);
    }

    /**
     * Reports that the processes of an assignment are ready to start, or that they have ended. Empty if the service was
     * unreachable or rejected it.
     */
    Optional<Assignment> reportWarmUp(long registrationEpoch, ReconcileAction.ReportWarmUp step)
            throws InterruptedException {
        return send(
                registrationEpoch,
                step.assignment(),
                AssignmentPhase.ACCEPTED,
                OptionalInt.empty(),
                false,
                "",
                null,
                step.ready());
    }

    /** Reports that a change of the ranks is complete. Empty if the service was unreachable or rejected it. */
    Optional<Assignment> reportRescaled(long registrationEpoch, Assignment assignment, int number)
            throws InterruptedException {
        return send(
                registrationEpoch, assignment, AssignmentPhase.RUNNING, OptionalInt.empty(), false, "", number, null);
    }

    /** Requests permission to start. Empty if it is not granted now. */
    Optional<Assignment> askToStart(long registrationEpoch, Assignment assignment) throws InterruptedException {
        return send(
                registrationEpoch, assignment, AssignmentPhase.STARTING, OptionalInt.empty(), false, "", null, null);
    }

    private Optional<Assignment> send(
            long registrationEpoch,
            Assignment assignment,
            AssignmentPhase state,
            OptionalInt exitCode,
            boolean requested,
            String detail,
            @Nullable Integer rescaled,
            @Nullable Boolean warm)
            throws InterruptedException {
        var transition = new Messages.Transition(
                registrationEpoch,
                assignment.generation(),
                assignment.seq() + 1,
                state,
                presence.pid(assignment.assignmentId()).orElse(null),
                exitCode.isPresent() ? exitCode.getAsInt() : null,
                requested,
                detail.isEmpty() ? null : detail,
                rescaled,
                warm);
        try {
            Answer answer = service.post(
                    "/api/v1/executors/%s/assignments/%s/transitions".formatted(node, assignment.assignmentId()),
                    transition,
                    TIMEOUT);
            if (answer.isFine()) {
                refusals.remove(assignment.assignmentId());
                var reply = answer.as(Messages.TransitionReply.class);
                return Optional.of(assignment.with(reply.state(), reply.desired(), reply.seq()));
            }
            if (answer.json().path("action").asString("").equals("REGISTER")) {
                link.registerAgain(registrationEpoch);
            }
            logRejection(assignment.assignmentId(), "the service rejected %s: %s".formatted(state, answer.problem()));
            return Optional.empty();
        } catch (IOException | JacksonException failure) {
            return Optional.empty();
        }
    }

    /** Logs a rejected transition once. It is retried soon. */
    private void logRejection(String assignment, String text) {
        if (!text.equals(refusals.put(assignment, text))) {
            log.accept(assignment + " " + text);
        }
    }
}
