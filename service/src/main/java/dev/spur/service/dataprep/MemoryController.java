package dev.spur.service.dataprep;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.Page;
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
    ResponseEntity<Page<Share>> list(ContractRequest request) {
        int limit = Page.limit(request);
        List<Share> found = memory.shares(request.reach(), Page.after(request, ""), limit + 1);
        return Page.of(found, limit, Share::node).answer(request);
    }
}
