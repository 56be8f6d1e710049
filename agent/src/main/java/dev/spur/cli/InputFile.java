package dev.spur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;

/**
 * File with YAML or JSON documents, which are valid YAML; {@code -} is the standard input.
 *
 * @param name path as the caller stated it
 * @param content what the file must contain, such as {@code a job}
 * @param example remedy for a file with other content
 */
record InputFile(String name, String content, String example) {
    /** Beginning of the message of the parser for a key that an object has twice. */
    private static final Pattern REPEATED = Pattern.compile("Duplicate Object property \"(.*)\"");

    /** Returns the documents, which are objects; the items of a list count as documents. */
    List<ObjectNode> documents() {
        return documents(bytes());
    }

    private List<ObjectNode> documents(byte[] bytes) {
        List<ObjectNode> found = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                YamlText.MAPPER.readerFor(JsonNode.class).readValues(bytes)) {
            while (documents.hasNext()) {
                add(documents.next(), found);
            }
        } catch (JacksonException malformed) {
            TokenStreamLocation at = malformed.getLocation();
            Matcher repeated = REPEATED.matcher(malformed.getOriginalMessage());
            if (repeated.lookingAt()) {
                throw invalid("line %d repeats the key %s".formatted(at.getLineNr(), repeated.group(1)));
            }
            throw invalid("line %d, column %d is neither YAML nor JSON".formatted(at.getLineNr(), at.getColumnNr()));
        }
        return found;
    }

    /** Returns the only document of {@code bytes}, the content of the file. */
    ObjectNode document(byte[] bytes) {
        List<ObjectNode> found = documents(bytes);
        if (found.size() != 1) {
            throw invalid("it contains %d documents".formatted(found.size()));
        }
        return found.get(0);
    }

    private void add(JsonNode document, List<ObjectNode> found) {
        if (document instanceof ObjectNode object) {
            found.add(object);
        } else if (document.isArray()) {
            document.forEach(item -> add(item, found));
        } else if (!document.isNull() && !document.isMissingNode()) {
            throw invalid("it contains no object");
        }
    }

    /** Returns the content of the file. */
    byte[] bytes() {
        try {
            return name.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(name));
        } catch (NoSuchFileException missing) {
            throw CommandFailure.ofInput("There is no file %s.".formatted(name));
        } catch (IOException unreadable) {
            throw CommandFailure.ofInput("Cannot read %s: %s.".formatted(name, unreadable.getMessage()));
        }
    }

    CommandFailure invalid(String cause) {
        return CommandFailure.ofInput("%s is not %s: %s. Expected %s."
                .formatted(name.equals("-") ? "Standard input" : name, content, cause, example));
    }
}
