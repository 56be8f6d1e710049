package dev.spur.service.api;

import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.EntityTag;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** Responses with an ETag. */
final class ConditionalResponses {
    private ConditionalResponses() {}

    /** 304 if the caller already has this representation, otherwise 200. */
    static <T> ResponseEntity<T> of(ContractRequest request, EntityTag tag, T body) {
        if (tag.isAmong(request.optionalText("If-None-Match"))) {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED)
                    .eTag(tag.header())
                    .build();
        }
        return ResponseEntity.ok().eTag(tag.header()).body(body);
    }
}
