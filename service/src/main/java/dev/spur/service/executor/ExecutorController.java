package dev.spur.service.executor;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.store.AssignmentStore;
import dev.spur.service.store.DeviceHealthStore;
import dev.spur.service.store.DeviceHealthStore.QuarantinedDevice;
import dev.spur.service.store.ExecutorStore;
import dev.spur.service.store.StoredExecutor;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes below {@code /executors}. */
@RestController
@RequestMapping("/api/v1/executors")
class ExecutorController {
    private static final Pattern TAG = Pattern.compile("\"(\\d{1,16})\"");

    private final ExecutorStore executors;
    private final AssignmentStore assignments;
    private final DeviceHealthStore health;
    private final RegistrationService registrar;
    private final TransitionService transitions;
    private final AssignmentFeed feed;

    ExecutorController(
            ExecutorStore executors,
            AssignmentStore assignments,
            DeviceHealthStore health,
            RegistrationService registrar,
            TransitionService transitions,
            AssignmentFeed feed) {
        this.executors = executors;
        this.assignments = assignments;
        this.health = health;
        this.registrar = registrar;
        this.transitions = transitions;
        this.feed = feed;
    }

    @GetMapping
    ResponseEntity<Page<ExecutorView>> list(ContractRequest request) {
        int limit = Page.limit(request);
        List<StoredExecutor> found = Page.matching(
                Page.after(request, ""),
                limit + 1,
                (after, most) -> executors.list(request.reach(), after, most),
                StoredExecutor::id,
                executor -> request.matches("state", executor.lost() ? "LOST" : "ALIVE")
                        && request.matches("node", executor.id()));
        Map<String, List<QuarantinedDevice>> quarantined =
                health.quarantined(null).stream().collect(Collectors.groupingBy(QuarantinedDevice::node));
        return Page.of(found, limit, StoredExecutor::id)
                .map(executor -> ExecutorView.of(executor, quarantined.getOrDefault(executor.id(), List.of()), null))
                .answer(request);
    }

    @GetMapping("/{id}")
    ExecutorView get(ContractRequest request) {
        String id = request.text("id");
        StoredExecutor executor = executors.find(id).orElseThrow(() -> ProblemException.notFound("executor", id));
        return ExecutorView.of(executor, health.quarantined(id), assignments.recent(id));
    }

    @PutMapping("/{id}")
    RegistrationService.RegistrationReply register(ContractRequest request) {
        return registrar.register(request.text("id"), request.body(Registration.class));
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> delete(ContractRequest request) {
        registrar.delete(request.text("id"));
        return ResponseEntity.noContent().build();
    }

    @PutMapping("/{id}/heartbeat")
    RegistrationService.LeaseTerms status(ContractRequest request) {
        return registrar.renew(request.text("id"), request.body(Heartbeat.class));
    }

    @GetMapping("/{id}/assignments")
    void assignments(ContractRequest request, HttpServletRequest raw, HttpServletResponse response) throws IOException {
        String id = request.text("id");
        EpochGuard.requireKnown(executors.find(id), id);
        Long known = request.optionalNumber("after")
                .or(() -> request.optionalText("If-None-Match").flatMap(ExecutorController::revision))
                .orElse(null);
        feed.answer(id, known, request.number("wait"), raw, response);
    }

    private static Optional<Long> revision(String ifNoneMatch) {
        Matcher tag = TAG.matcher(ifNoneMatch);
        return tag.find() ? Optional.of(Long.parseLong(tag.group(1))) : Optional.empty();
    }

    @PostMapping("/{id}/assignments/{assignmentId}/transitions")
    TransitionService.Reply transition(ContractRequest request) {
        return transitions.take(request.text("id"), request.text("assignmentId"), request.body(Transition.class));
    }
}
