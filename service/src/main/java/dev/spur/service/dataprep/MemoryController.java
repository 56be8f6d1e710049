package dev.spur.service.dataprep;

import dev.spur.service.contract.Page;
import dev.spur.service.contract.PageRequest;
import dev.spur.service.security.AccessScope;
import dev.spur.service.store.NodeMemoryStore;
import dev.spur.service.store.NodeMemoryStore.Share;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Memory of all nodes, by holder. */
@RestController
@RequestMapping("/api/v1/memory")
class MemoryController {
    private final NodeMemoryStore memory;

    MemoryController(NodeMemoryStore memory) {
        this.memory = memory;
    }

    @GetMapping
    ResponseEntity<Page<Share>> list(AccessScope scope, PageRequest page) {
        List<Share> found = memory.shares(scope, page.after(""), page.limit() + 1);
        return Page.of(found, page.limit(), Share::node).response();
    }
}
