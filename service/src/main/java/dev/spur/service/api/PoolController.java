package dev.spur.service.api;

import dev.spur.model.cluster.Pool;
import dev.spur.service.audit.AuditTrail;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.PoolStore;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pools. */
@RestController
@RequestMapping("/api/v1/pools")
class PoolController {
    private final NamedResource<Pool> pools;

    PoolController(PoolStore store, TransactionTemplate transaction, RoundTrigger trigger, AuditTrail trail) {
        pools = new NamedResource<>(
                new NamedResource.Kind<>("pool", "name", Pool.class, Pool::name, (value, before, errors) -> {}),
                store,
                transaction,
                trigger,
                trail);
    }

    @GetMapping
    ResponseEntity<Page<Pool>> list(ContractRequest request) {
        return pools.list(request);
    }

    @GetMapping("/{name}")
    ResponseEntity<Pool> get(ContractRequest request) {
        return pools.get(request);
    }

    @PutMapping("/{name}")
    ResponseEntity<Pool> put(ContractRequest request) {
        return pools.put(request);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(ContractRequest request) {
        return pools.delete(request);
    }
}
