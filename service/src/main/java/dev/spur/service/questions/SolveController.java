package dev.spur.service.questions;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.jobs.learning.FamilyPredictions;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Plans a problem from the request body. */
@RestController
class SolveController {
    private final OnDemandSolver solves;

    SolveController(OnDemandSolver solves) {
        this.solves = solves;
    }

    @PostMapping("/api/v1/solve")
    DeferredResult<RoundPlan> solve(@RequestBody RoundProblem problem) {
        OnDemandSolver.require(problem);
        return solves.solve(() -> solves.plan(FamilyPredictions.apply(problem)));
    }
}
