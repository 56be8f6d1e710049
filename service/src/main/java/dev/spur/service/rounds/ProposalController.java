package dev.spur.service.rounds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.plans.PlanChange;
import dev.spur.service.plans.PlanDiff;
import dev.spur.service.rounds.ProposalStore.StoredProposal;
import dev.spur.service.rounds.ProposalStore.StoredProposal.Status;
import dev.spur.service.security.Principal;
import dev.spur.service.web.AuditTrail;
import dev.spur.service.web.contract.EntityTag;
import dev.spur.service.web.contract.Page;
import dev.spur.service.web.contract.PageRequest;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The routes below {@code /proposals}. */
@RestController
@RequestMapping("/api/v1/proposals")
class ProposalController {
    private static final String PATH = "/api/v1/proposals/";
    private static final String WORDS = "proposal";

    private final ProposalStore proposals;
    private final RoundTrigger trigger;
    private final AuditTrail trail;

    ProposalController(ProposalStore proposals, RoundTrigger trigger, AuditTrail trail) {
        this.proposals = proposals;
        this.trigger = trigger;
        this.trail = trail;
    }

    /** Body of a decision. Members as in the contract. */
    record ApprovalDecision(@Nullable String note) {}

    @GetMapping
    ResponseEntity<Page<ProposalView>> list(@RequestParam @Nullable String status, PageRequest page) {
        return page.read(Long.MAX_VALUE, (before, max) -> proposals.before(before, status, max), StoredProposal::number)
                .map(stored -> ProposalView.of(stored, false))
                .response();
    }

    @GetMapping("/{number}")
    ResponseEntity<ProposalView> get(@PathVariable long number) {
        StoredProposal found = proposals.find(number).orElseThrow(() -> ProblemException.notFound(WORDS, number));
        EntityTag tag = EntityTag.of(
                found.number(), Integer.toUnsignedLong(found.status().name().hashCode()));
        return tag.ok(ProposalView.of(found, true));
    }

    @PostMapping("/{number}/approve")
    @Transactional
    ResponseEntity<ProposalView> approve(
            @PathVariable long number, @RequestBody ApprovalDecision decision, Principal caller) {
        return decide(number, decision, caller, Status.APPROVED);
    }

    @PostMapping("/{number}/reject")
    @Transactional
    ResponseEntity<ProposalView> reject(
            @PathVariable long number, @RequestBody ApprovalDecision decision, Principal caller) {
        return decide(number, decision, caller, Status.REJECTED);
    }

    private ResponseEntity<ProposalView> decide(
            long number, ApprovalDecision decision, Principal caller, Status status) {
        StoredProposal before = proposals.lock(number).orElseThrow(() -> ProblemException.notFound(WORDS, number));
        mustBeOpen(before);
        proposals.decide(before.number(), status, caller.name(), decision.note());
        trail.recordChange(
                WORDS, Long.toString(before.number()), Map.of("status", before.status()), Map.of("status", status));
        if (status == Status.APPROVED) {
            trigger.requestRound("proposal %d is approved".formatted(before.number()));
        }
        StoredProposal decided = proposals.find(before.number()).orElseThrow();
        return ResponseEntity.status(status == Status.APPROVED ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(ProposalView.of(decided, true));
    }

    /** Another decision was first: the caller is led to what is open now. */
    private void mustBeOpen(StoredProposal proposal) {
        if (proposal.status() == Status.OPEN) {
            return;
        }
        long newer = proposals.open().map(StoredProposal::number).orElse(proposal.number());
        String now = newer == proposal.number() ? "none is open" : "proposal %d is open".formatted(newer);
        throw ProblemException.of(
                        ProblemType.CONFLICT,
                        "Proposal %d is %s; %s.".formatted(proposal.number(), proposal.status(), now))
                .withLocation(PATH + newer);
    }

    /** A proposal as operators see it. Members as in the contract. */
    record ProposalView(
            @JsonUnwrapped StoredProposal proposal,
            int changed,
            int unchanged,
            double restartSeconds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<PlanChange> changes) {
        static ProposalView of(StoredProposal stored, boolean whole) {
            PlanDiff diff = RoundJson.mapper().readValue(stored.diff(), PlanDiff.class);
            return new ProposalView(
                    stored,
                    diff.changes().size(),
                    diff.unchanged(),
                    diff.restartSeconds(),
                    whole ? diff.changes() : null);
        }
    }
}
