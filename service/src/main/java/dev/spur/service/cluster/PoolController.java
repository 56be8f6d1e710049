package dev.spur.service.cluster;

import dev.spur.model.cluster.Pool;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.NamedResourceController;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pools. */
@RestController
@RequestMapping("/api/v1/pools")
class PoolController extends NamedResourceController<Pool, Pool> {

    PoolController(PoolStore store, RoundTrigger trigger, AuditTrail trail) {
        super(new Kind<>("pool", Pool::name, (value, before, errors) -> {}), store, trigger, trail);
    }

    @GetMapping
    ResponseEntity<Page<Pool>> list(AccessScope scope, PageRequest page) {
        return list(scope, page, any -> true).response();
    }

    @Override
    protected Pool view(Pool value) {
        return value;
    }
}
