package dev.spur.service.cluster;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.database.Versioned;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.MergePatch;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** Settings of scheduling rounds. The resource always exists. */
@RestController
@RequestMapping("/api/v1/settings")
class SettingsController {
    private final SettingsStore store;
    private final RoundTrigger trigger;
    private final AuditTrail trail;
    private final MergePatch patches;

    SettingsController(SettingsStore store, RoundTrigger trigger, AuditTrail trail, MergePatch patches) {
        this.store = store;
        this.trigger = trigger;
        this.trail = trail;
        this.patches = patches;
    }

    @GetMapping
    ResponseEntity<Settings> get() {
        Versioned<Settings> current = store.current();
        return EntityTag.of(current.version()).ok(current.value());
    }

    @PutMapping
    @Transactional
    ResponseEntity<Settings> put(
            @RequestBody Settings settings,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestParam(defaultValue = "false") boolean dryRun) {
        if (dryRun) {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }
        return replace(ifMatch, store.current(), settings);
    }

    @PatchMapping
    @Transactional
    ResponseEntity<Settings> patch(@RequestBody ObjectNode patch, @RequestHeader("If-Match") Optional<String> ifMatch) {
        Versioned<Settings> current = store.current();
        ObjectNode tree = RoundJson.mapper().valueToTree(current.value());
        return replace(ifMatch, current, patches.apply("Settings", tree, patch, Settings.class));
    }

    /** Settings that equal the current ones need no If-Match: a repeated PUT changes nothing. */
    private ResponseEntity<Settings> replace(Optional<String> ifMatch, Versioned<Settings> current, Settings settings) {
        EntityTag tag = EntityTag.of(current.version());
        if (settings.equals(current.value())) {
            tag.allow(ifMatch);
            return tag.ok(settings);
        }
        tag.require(ifMatch);
        if (!store.replace(settings, current.version())) {
            throw ProblemException.of(
                    ProblemType.PRECONDITION_FAILED,
                    FieldError.inHeader("If-Match", "names an outdated version: another request has just replaced it"));
        }
        trail.recordChange("settings", "settings", current.value(), settings);
        trigger.requestRound("settings");
        return EntityTag.of(current.version() + 1).ok(settings);
    }
}
