package dev.spur.service.api;

import dev.spur.service.cluster.HostUseStore;
import dev.spur.service.cluster.HostUseStore.HostUse;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** CPUs and host memory of nodes by use. */
@RestController
class HostUseController {
    private final HostUseStore hosts;

    HostUseController(HostUseStore hosts) {
        this.hosts = hosts;
    }

    @GetMapping("/api/v1/hosts")
    ResponseEntity<Page<HostUse>> list(AccessScope scope, @RequestParam @Nullable String node, PageRequest page) {
        return page.read("", (after, max) -> hosts.list(scope, node, after, max), HostUse::node)
                .response();
    }
}
