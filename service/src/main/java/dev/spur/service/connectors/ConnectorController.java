package dev.spur.service.connectors;

import dev.spur.connectors.ControlLevel;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes of connectors: their state and their control levels. */
@RestController
@RequestMapping("/api/v1/connectors")
class ConnectorController {
    private static final int FAILED_SHOWN = 20;

    private final ConnectorStore connectors;
    private final ConnectorActionStore actions;
    private final PlatformAggregatorStore aggregators;
    private final ConnectorJobStore jobs;
    private final AuditTrail trail;

    ConnectorController(
            ConnectorStore connectors,
            ConnectorActionStore actions,
            PlatformAggregatorStore aggregators,
            ConnectorJobStore jobs,
            AuditTrail trail) {
        this.connectors = connectors;
        this.actions = actions;
        this.aggregators = aggregators;
        this.jobs = jobs;
        this.trail = trail;
    }

    @GetMapping
    ResponseEntity<Page<ConnectorView>> list(
            @RequestParam(defaultValue = "") List<String> controlLevel, PageRequest page) {
        return page.read(
                        "",
                        connectors::list,
                        ConnectorStore.Row::name,
                        connector -> ListFilter.matches(controlLevel, connector.controlLevel()))
                .map(ConnectorView::summary)
                .response();
    }

    @GetMapping("/{name}")
    ResponseEntity<ConnectorView> get(@PathVariable String name) {
        return view(connectors.find(name).orElseThrow(() -> ProblemException.notFound("connector", name)));
    }

    /** Change of a connector by an operator. */
    record Change(ControlLevel controlLevel) {}

    @PatchMapping("/{name}")
    @Transactional
    ResponseEntity<ConnectorView> patch(
            @PathVariable String name,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody Change change) {
        ControlLevel controlLevel = change.controlLevel();
        ConnectorStore.Row row = connectors.lock(name).orElseThrow(() -> ProblemException.notFound("connector", name));
        EntityTag.of(row.version()).require(ifMatch);
        connectors.allow(name, controlLevel);
        trail.recordChange(
                "connector", name, Map.of("controlLevel", row.controlLevel()), Map.of("controlLevel", controlLevel));
        return view(connectors.find(name).orElseThrow());
    }

    private ResponseEntity<ConnectorView> view(ConnectorStore.Row row) {
        ConnectorView view = ConnectorView.whole(
                row,
                actions.open(row.name()),
                actions.failedActions(row.name(), FAILED_SHOWN),
                aggregators.of(row.name()),
                jobs.jobs(row.name()).values());
        return EntityTag.of(row.version(), view.checksum()).ok(view);
    }
}
