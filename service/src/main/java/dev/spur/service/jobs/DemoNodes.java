package dev.spur.service.jobs;

import dev.spur.model.allocation.Allocation;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The nodes of the demo: no executor runs their jobs, because a simulation reports the progress. */
@Component
public class DemoNodes {
    /** Begin of the names of these nodes. */
    public static final String PREFIX = "demo-";

    private final boolean demo;

    /** @param demo whether the service runs the demo */
    public DemoNodes(@Value("${spur.demo:false}") boolean demo) {
        this.demo = demo;
    }

    /** Returns whether {@code node} is simulated. */
    public boolean contains(String node) {
        return demo && node.startsWith(PREFIX);
    }

    /** Returns whether all nodes of {@code allocation} are simulated. */
    boolean hold(Allocation allocation) {
        return allocation.placement().stream().allMatch(share -> contains(share.node()));
    }
}
