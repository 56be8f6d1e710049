package dev.spur.service.feeds;

import dev.spur.service.cluster.TenantStore;
import dev.spur.service.feeds.DeliveryStore.WebhookDelivery;
import dev.spur.service.feeds.WebhookStore.Webhook;
import dev.spur.service.feeds.WebhookStore.WebhookRequest;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Webhooks and the log of their deliveries. */
@RestController
@RequestMapping("/api/v1/webhooks")
class WebhookController {
    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final EventStore events;
    private final TenantStore tenants;
    private final WebhookProperties properties;
    private final AuditTrail trail;

    WebhookController(
            WebhookStore webhooks,
            DeliveryStore deliveries,
            EventStore events,
            TenantStore tenants,
            WebhookProperties properties,
            AuditTrail trail) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.events = events;
        this.tenants = tenants;
        this.properties = properties;
        this.trail = trail;
    }

    /**
     * A webhook with its secret.
     *
     * @param secret key of the signatures; no other response contains it
     */
    record CreatedWebhook(Webhook webhook, String secret) {
        @Override
        public String toString() {
            return "CreatedWebhook[webhook=" + webhook.id() + ", secret hidden]";
        }
    }

    @PostMapping
    @Transactional
    ResponseEntity<CreatedWebhook> create(@RequestBody WebhookRequest request, Principal caller) {
        WebhookRequest scoped = restrict(request, caller.reach());
        String id = UUID.randomUUID().toString();
        String secret = WebhookSignature.freshSecret();
        Webhook created = webhooks.add(
                        id,
                        scoped,
                        secret,
                        caller.name(),
                        events.end(),
                        properties.maxWebhooks(),
                        properties.maxPerCaller())
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.CONFLICT,
                        "%d webhooks exist (spur.webhooks.max-webhooks), or %d of this caller (spur.webhooks.max-per-caller), which is the limit. Delete webhooks that are no longer used."
                                .formatted(properties.maxWebhooks(), properties.maxPerCaller())));
        trail.recordChange("webhook", id, null, created);
        return ResponseEntity.created(URI.create("/api/v1/webhooks/" + id))
                .eTag(EntityTag.of(created.version()).header())
                .header("Cache-Control", "no-store")
                .body(new CreatedWebhook(created, secret));
    }

    /** The request with the tenants of a confined caller, if it names none. */
    private WebhookRequest restrict(WebhookRequest request, AccessScope scope) {
        if (request.tenants() == null) {
            return scope.tenants() == null
                    ? request
                    : new WebhookRequest(
                            request.url(),
                            request.kinds(),
                            scope.tenants().stream().sorted().toList(),
                            request.enabled());
        }
        List<FieldError> errors = new ArrayList<>();
        for (int t = 0; t < request.tenants().size(); t++) {
            String tenant = request.tenants().get(t);
            if (!scope.covers(tenant) || tenants.find(tenant).isEmpty()) {
                errors.add(FieldError.at("/tenants/" + t, "there is no tenant " + tenant));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
        return request;
    }

    @GetMapping
    ResponseEntity<Page<Webhook>> list(AccessScope scope, PageRequest page) {
        return page.read(0, (after, max) -> webhooks.list(scope, after, max), Webhook::seq)
                .response();
    }

    @GetMapping("/{id}")
    ResponseEntity<Webhook> get(@PathVariable String id) {
        Webhook webhook = webhooks.find(id).orElseThrow(() -> missing(id));
        return EntityTag.of(webhook.version()).ok(webhook);
    }

    @PutMapping("/{id}")
    @Transactional
    ResponseEntity<Webhook> replace(
            @PathVariable String id,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestBody WebhookRequest request,
            AccessScope scope) {
        Webhook before = webhooks.lock(id).orElseThrow(() -> missing(id));
        EntityTag.of(before.version()).require(ifMatch);
        Webhook after = webhooks.replace(id, restrict(request, scope), events.end());
        trail.recordChange("webhook", id, before, after);
        return EntityTag.of(after.version()).ok(after);
    }

    @DeleteMapping("/{id}")
    @Transactional
    ResponseEntity<Void> delete(@PathVariable String id, @RequestHeader("If-Match") Optional<String> ifMatch) {
        Webhook before = webhooks.lock(id).orElseThrow(() -> missing(id));
        EntityTag.of(before.version()).allow(ifMatch);
        webhooks.delete(id);
        trail.recordChange("webhook", id, before, null);
        return ResponseEntity.noContent().build();
    }

    @PostMapping("/{id}/ping")
    @Transactional
    ResponseEntity<WebhookDelivery> ping(@PathVariable String id) {
        requireEnabled(id);
        String delivery = UUID.randomUUID().toString();
        ClusterEvent event = new ClusterEvent(
                new EventPosition(0, 0),
                delivery,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                WebhookDelivery.PING,
                null,
                null,
                null,
                Map.of());
        WebhookDelivery queued = deliveries.ping(id, delivery, event.json());
        webhooks.notifyReplicas();
        return ResponseEntity.accepted().body(queued);
    }

    @GetMapping("/{id}/deliveries")
    ResponseEntity<Page<WebhookDelivery>> deliveries(
            @PathVariable String id, @RequestParam(defaultValue = "") List<String> state, PageRequest page) {
        if (webhooks.find(id).isEmpty()) {
            throw missing(id);
        }
        return page.read(
                        Long.MAX_VALUE,
                        (before, max) -> deliveries.before(id, before, max),
                        WebhookDelivery::seq,
                        delivery -> ListFilter.matches(state, delivery.state()))
                .response();
    }

    @PostMapping("/{id}/deliveries/{deliveryId}/redeliver")
    @Transactional
    ResponseEntity<WebhookDelivery> redeliver(@PathVariable String id, @PathVariable String deliveryId) {
        requireEnabled(id);
        WebhookDelivery queued =
                deliveries.repeat(id, deliveryId).orElseThrow(() -> ProblemException.notFound("delivery", deliveryId));
        webhooks.notifyReplicas();
        return ResponseEntity.accepted().body(queued);
    }

    private void requireEnabled(String id) {
        Webhook webhook = webhooks.lock(id).orElseThrow(() -> missing(id));
        if (!webhook.request().enabled()) {
            throw ProblemException.of(
                    ProblemType.CONFLICT, "The webhook %s is disabled; enable it with a PUT first.".formatted(id));
        }
    }

    private static ProblemException missing(String id) {
        return ProblemException.notFound("webhook", id);
    }
}
