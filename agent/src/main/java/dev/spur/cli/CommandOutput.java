package dev.spur.cli;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Result of a command, which has a text in each {@link OutputFormat}.
 *
 * @param value response of the service
 * @param names ids or names of the resources in the response
 * @param text text for {@code TABLE} and {@code WIDE}
 */
record CommandOutput(JsonNode value, List<String> names, Text text) {
    CommandOutput {
        names = List.copyOf(names);
    }

    /** Text for a terminal. */
    interface Text {
        /**
         * Returns the text, which ends with a line break.
         *
         * @param wide true for all columns without a limit of the width
         */
        String of(Terminal terminal, boolean wide);
    }

    /** Returns the output for one resource. */
    static CommandOutput of(JsonNode value, String name, String text) {
        return new CommandOutput(value, List.of(name), (terminal, wide) -> text);
    }

    /**
     * Returns the output for a list.
     *
     * @param name member with the id or name of an item
     * @param ifEmpty line for an empty list
     */
    static CommandOutput list(Collection<JsonNode> items, String name, String ifEmpty, List<TableColumn> columns) {
        return new CommandOutput(
                JsonNodeFactory.instance.arrayNode().addAll(items),
                items.stream().map(item -> item.path(name).asString()).toList(),
                (terminal, wide) -> items.isEmpty()
                        ? ifEmpty + System.lineSeparator()
                        : new TextTable(columns, items).text(terminal, wide));
    }

    /** Returns the text in {@code format}, which ends with a line break. */
    String in(OutputFormat format, Terminal terminal) {
        return switch (format) {
            case TABLE -> text.of(terminal, false);
            case WIDE -> text.of(terminal, true);
            case JSON -> value.toPrettyString() + System.lineSeparator();
            case YAML -> YamlText.of(value);
            case NAME ->
                names.stream().map(name -> name + System.lineSeparator()).collect(Collectors.joining());
        };
    }
}
