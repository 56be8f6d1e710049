package dev.spur.service.questions;

import dev.spur.model.round.IdleSlots;
import dev.spur.service.web.contract.ListFilter;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Idle slots with their reasons. */
@RestController
class IdleSlotController {
    private final IdleSlotReader idle;

    IdleSlotController(IdleSlotReader idle) {
        this.idle = idle;
    }

    /** Idle slots at their position in the list, from 1. */
    private record Positioned(long position, IdleSlots slots) {}

    @GetMapping("/api/v1/idle-slots")
    ResponseEntity<Page<IdleSlots>> list(
            @RequestParam @Nullable String pool,
            @RequestParam @Nullable String acceleratorType,
            @RequestParam(defaultValue = "") List<String> reason,
            PageRequest page) {
        List<IdleSlots> all = idle.read();
        return page.read(
                        0,
                        (after, max) -> IntStream.range(Math.toIntExact(Math.min(after, all.size())), all.size())
                                .limit(max)
                                .mapToObj(i -> new Positioned(i + 1L, all.get(i)))
                                .toList(),
                        Positioned::position,
                        item -> ListFilter.matches(pool, item.slots().pool())
                                && ListFilter.matches(
                                        acceleratorType, item.slots().acceleratorType())
                                && ListFilter.matches(reason, item.slots().reason()))
                .map(Positioned::slots)
                .response();
    }
}
