package dev.spur.service.executors;

import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.cluster.DeviceHealthStore.QuarantinedDevice;
import dev.spur.service.executors.LogUploadService.LogUpload;
import dev.spur.service.executors.TransitionService.Transition;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Role;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.PollRequest;
import dev.spur.service.web.contract.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes below {@code /executors}. */
@RestController
@RequestMapping("/api/v1/executors")
class ExecutorController {
    private final ExecutorStore executors;
    private final AssignmentStore assignments;
    private final DeviceHealthStore health;
    private final RegistrationService registrar;
    private final HeartbeatService heartbeats;
    private final TransitionService transitions;
    private final DesiredStateFeed feed;
    private final LogUploadService logs;

    ExecutorController(
            ExecutorStore executors,
            AssignmentStore assignments,
            DeviceHealthStore health,
            RegistrationService registrar,
            HeartbeatService heartbeats,
            TransitionService transitions,
            DesiredStateFeed feed,
            LogUploadService logs) {
        this.executors = executors;
        this.assignments = assignments;
        this.health = health;
        this.registrar = registrar;
        this.heartbeats = heartbeats;
        this.transitions = transitions;
        this.feed = feed;
        this.logs = logs;
    }

    @GetMapping
    ResponseEntity<Page<ExecutorView>> list(
            AccessScope scope,
            @RequestParam(defaultValue = "") List<String> state,
            @RequestParam @Nullable String node,
            PageRequest page) {
        Page<StoredExecutor> found = page.read(
                "",
                (after, max) -> executors.list(scope, after, max),
                StoredExecutor::id,
                executor -> ListFilter.matches(state, executor.lost() ? "LOST" : "ALIVE")
                        && ListFilter.matches(node, executor.id()));
        Map<String, List<QuarantinedDevice>> quarantined =
                health.quarantinedDevices(null).stream().collect(Collectors.groupingBy(QuarantinedDevice::node));
        return found.map(
                        executor -> ExecutorView.of(executor, quarantined.getOrDefault(executor.id(), List.of()), null))
                .response();
    }

    @GetMapping("/{id}")
    ExecutorView get(@PathVariable String id) {
        StoredExecutor executor = executors.find(id).orElseThrow(() -> ProblemException.notFound("executor", id));
        return ExecutorView.of(executor, health.quarantinedDevices(id), assignments.recent(id));
    }

    @PutMapping("/{id}")
    RegistrationService.RegistrationReply register(@PathVariable String id, @RequestBody Registration registration) {
        return registrar.register(id, registration);
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> delete(@PathVariable String id) {
        registrar.delete(id);
        return ResponseEntity.noContent().build();
    }

    @PutMapping("/{id}/heartbeat")
    HeartbeatService.LeaseTerms status(@PathVariable String id, @RequestBody Heartbeat heartbeat) {
        return heartbeats.renew(id, heartbeat);
    }

    @GetMapping("/{id}/assignments")
    Object assignments(@PathVariable String id, PollRequest poll, Principal caller) {
        StoredExecutor.requireKnown(executors.find(id), id);
        return feed.poll(id, poll, caller.hasOneOf(Set.of(Role.EXECUTOR)));
    }

    @PostMapping("/{id}/assignments/{assignmentId}/transitions")
    TransitionService.Reply transition(
            @PathVariable String id, @PathVariable String assignmentId, @RequestBody Transition transition) {
        return transitions.take(id, assignmentId, transition);
    }

    @PostMapping("/{id}/assignments/{assignmentId}/logs")
    LogUploadService.LogReply logs(
            @PathVariable String id, @PathVariable String assignmentId, @RequestBody LogUpload upload) {
        return logs.take(id, assignmentId, upload);
    }
}
