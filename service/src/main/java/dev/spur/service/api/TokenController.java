package dev.spur.service.api;

import dev.spur.service.cluster.TenantStore;
import dev.spur.service.security.Principal;
import dev.spur.service.security.Role;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.access.TokenAuthenticator;
import dev.spur.service.web.access.TokenSecret;
import dev.spur.service.web.access.TokenStore;
import dev.spur.service.web.access.TokenStore.NewToken;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Issues and revokes tokens. */
@RestController
@RequestMapping("/api/v1/tokens")
class TokenController {
    private final TokenStore tokens;
    private final TenantStore tenants;
    private final TokenAuthenticator authenticator;
    /** Transaction of the revocation, which ends before the token leaves the cache. */
    private final TransactionTemplate transaction;

    private final AuditTrail trail;

    TokenController(
            TokenStore tokens,
            TenantStore tenants,
            TokenAuthenticator authenticator,
            TransactionTemplate transaction,
            AuditTrail trail) {
        this.tokens = tokens;
        this.tenants = tenants;
        this.authenticator = authenticator;
        this.transaction = transaction;
        this.trail = trail;
    }

    /**
     * Request for a new token.
     *
     * @param tenants tenants that its caller is confined to; null for all
     * @param node node that its caller is confined to; null for all
     * @param expiresInSeconds its lifetime; null for a token that is valid until it is revoked
     */
    record TokenRequest(
            String name,
            String role,
            @Nullable List<String> tenants,
            @Nullable String node,
            @Nullable Long expiresInSeconds) {
        TokenRequest {
            tenants = tenants == null ? null : List.copyOf(tenants);
        }
    }

    /**
     * A token with its secret.
     *
     * @param secret secret that the caller must send; it is not stored
     */
    record IssuedToken(TokenStore.Row token, String secret) {
        @Override
        public String toString() {
            return "Issued[token=" + token.id() + ", secret hidden]";
        }
    }

    @PostMapping
    @Transactional
    ResponseEntity<IssuedToken> issue(@RequestBody TokenRequest request, Principal caller) {
        Role role = Role.valueOf(request.role());
        requireValidScope(request, role);
        String id = UUID.randomUUID().toString();
        String secret = TokenSecret.fresh();
        NewToken token = new NewToken(
                id,
                request.name(),
                TokenSecret.hash(secret),
                role,
                request.tenants(),
                request.node(),
                caller.name(),
                request.expiresInSeconds());
        TokenStore.Row issued = add(token);
        return ResponseEntity.created(URI.create("/api/v1/tokens/" + id))
                .header("Cache-Control", "no-store")
                .body(new IssuedToken(issued, secret));
    }

    private TokenStore.Row add(NewToken token) {
        TokenStore.Row added = tokens.add(token)
                .orElseThrow(() -> ProblemException.of(
                        ProblemType.CONFLICT,
                        FieldError.at("/name", "is already used by a token that is not revoked")));
        trail.recordChange("token", added.id(), null, added);
        return added;
    }

    /** Validates the scope: operators have none, executors are confined to nodes, viewers and submitters to tenants. */
    private void requireValidScope(TokenRequest request, Role role) {
        List<FieldError> errors = new ArrayList<>();
        if (request.tenants() != null && role != Role.VIEWER && role != Role.SUBMITTER) {
            errors.add(FieldError.at("/tenants", "are allowed for viewers and submitters only"));
        }
        if (request.node() != null && role != Role.EXECUTOR) {
            errors.add(FieldError.at("/node", "is allowed for executors only"));
        }
        List<String> named = request.tenants() == null ? List.of() : request.tenants();
        for (int t = 0; t < named.size(); t++) {
            if (tenants.find(named.get(t)).isEmpty()) {
                errors.add(FieldError.at("/tenants/" + t, "there is no tenant " + named.get(t)));
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }

    @GetMapping
    ResponseEntity<Page<TokenStore.Row>> list(
            @RequestParam @Nullable String name,
            @RequestParam(defaultValue = "") List<String> role,
            @RequestParam(defaultValue = "") List<String> state,
            PageRequest page) {
        Instant now = Instant.now();
        return page.read(
                        Long.MAX_VALUE,
                        tokens::before,
                        TokenStore.Row::seq,
                        token -> ListFilter.matches(role, token.role())
                                && ListFilter.matches(name, token.name())
                                && ListFilter.matches(state, token.stateAt(now)))
                .response();
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> revoke(@PathVariable String id) {
        transaction.executeWithoutResult(status -> {
            TokenStore.Row token = tokens.lock(id).orElseThrow(() -> ProblemException.notFound("token", id));
            if (token.revokedAt() == null) {
                tokens.revoke(id);
                trail.recordChange("token", id, token, tokens.lock(id).orElseThrow());
            }
        });
        authenticator.onNotification(id);
        return ResponseEntity.noContent().build();
    }
}
