package dev.spur.service.api;

import dev.spur.model.cluster.Pool;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.store.PoolStore;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pools. */
@RestController
@RequestMapping("/api/v1/pools")
class PoolController {
    private final NamedResource<Pool> pools;

    PoolController(PoolStore store, TransactionTemplate transaction, RoundTrigger trigger, AuditTrail trail) {
        pools = new NamedResource<>(
                new NamedResource.Kind<>("pool", Pool::name, (value, before, errors) -> {}),
                store,
                transaction,
                trigger,
                trail);
    }

    @GetMapping
    ResponseEntity<Page<Pool>> list(AccessScope scope, PageRequest page) {
        return pools.list(scope, page, any -> true).response();
    }

    @GetMapping("/{name}")
    ResponseEntity<Pool> get(@PathVariable String name) {
        return pools.get(name);
    }

    @PutMapping("/{name}")
    ResponseEntity<Pool> put(
            @RequestBody Pool pool,
            @RequestHeader("If-Match") Optional<String> ifMatch,
            @RequestHeader("If-None-Match") Optional<String> ifNoneMatch) {
        return pools.put(pool, ifMatch, ifNoneMatch);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name, @RequestHeader("If-Match") Optional<String> ifMatch) {
        return pools.delete(name, ifMatch);
    }
}
