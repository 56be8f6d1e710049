package dev.spur.service.recommend;

import dev.spur.model.job.JobSpec;
import dev.spur.prediction.job.Prediction.Stance;
import dev.spur.service.contract.ContractRequest;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.explain.Solves;
import dev.spur.service.learning.JobForecast;
import dev.spur.service.learning.Surroundings;
import dev.spur.service.store.HardwareStore;
import dev.spur.solver.candidate.Unfit;
import dev.spur.solver.recommend.Market;
import dev.spur.solver.recommend.NodeOffer;
import dev.spur.solver.recommend.Recommender;
import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Recommends how to run a job, by what its profile and its family tell of speeds. */
@RestController
class RecommendationController {
    private final Solves solves;
    private final HardwareStore hardware;
    private final Surroundings surroundings;

    RecommendationController(Solves solves, HardwareStore hardware, Surroundings surroundings) {
        this.solves = solves;
        this.hardware = hardware;
        this.surroundings = surroundings;
    }

    @PostMapping("/api/v1/recommendations")
    DeferredResult<RecommendationView> recommend(ContractRequest request) {
        RecommendationRequest asked = request.body(RecommendationRequest.class);
        List<NodeOffer> offers = asked.nodeTypes();
        Market market =
                (offers == null ? Market.ofCluster(hardware.nodes()) : Market.of(offers)).knowing(hardware.types());
        Surroundings.Known known = surroundings.now();
        return solves.answer(() -> answer(asked, market, known));
    }

    private static RecommendationView answer(RecommendationRequest asked, Market market, Surroundings.Known known) {
        JobForecast forecast =
                JobForecast.of(asked.spec(), List.of(), known.families(), Surroundings.offers(market.nodes()));
        JobSpec spec = forecast.spec(Stance.EVEN);
        return Recommender.recommend(spec, market, forecast, asked.target())
                .map(found -> RecommendationView.of(found, asked.target(), forecast))
                .orElseThrow(() -> refusal(Recommender.whyNone(spec, market)));
    }

    private static ProblemException refusal(Unfit unfit) {
        String reason = switch (unfit) {
            case NONE, NO_GAIN -> "The profile knows no speed above 0 there.";
            case POOL_MISMATCH -> "No node has devices of a type that the job allows and its profile knows.";
            case GPU_MEMORY -> "No allowed batch size divides into equal shares that fit the memory of the devices.";
            case NEVER_FITS -> "There are too few slots or nodes, or too little host or aggregation capacity.";
        };
        return ProblemException.of(ProblemType.NEVER_FITS, "The job can run on none of the nodes.")
                .withReasons(List.of(reason));
    }
}
