package dev.spur.service.api;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ContractedClient;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bodies of submissions: the example of the contract, without tenant and deadline, changed at will. */
final class Submissions {
    private static final JsonNode EXAMPLE =
            ContractedClient.contract().document().at("/components/examples/jobSubmissionShort/value");

    private Submissions() {}

    /** A job of tenant root that wants 1 to 4 A100 and has no external id. */
    static ObjectNode tree() {
        ObjectNode tree = (ObjectNode) EXAMPLE.deepCopy();
        tree.remove("tenant");
        tree.remove("deadline");
        tree.remove("externalId");
        ((ObjectNode) tree.at("/spec/profile")).remove("ratios");
        return tree;
    }

    /** The same as text. */
    static String json() {
        return tree().toString();
    }

    /** The same with something changed. */
    static String json(Consumer<ObjectNode> change) {
        ObjectNode tree = tree();
        change.accept(tree);
        return tree.toString();
    }

    /** The same with {@code json} at a JSON pointer; the members above it exist. */
    static String with(String pointer, String json) {
        return json(tree -> {
            int slash = pointer.lastIndexOf('/');
            ((ObjectNode) tree.at(pointer.substring(0, slash)))
                    .set(pointer.substring(slash + 1), RoundJson.mapper().readTree(json));
        });
    }
}
