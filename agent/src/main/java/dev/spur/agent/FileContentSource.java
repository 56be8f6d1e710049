package dev.spur.agent;

import dev.spur.agent.aggregator.Content;
import dev.spur.agent.process.SmallFile;
import java.nio.file.Path;
import java.util.Optional;

/** Content source that reads a file written by the agent. */
final class FileContentSource implements ContentSource {
    private final Path file;
    private Optional<String> known = Optional.empty();

    FileContentSource(Path file) {
        this.file = file;
    }

    @Override
    public Optional<Content> next() {
        Optional<String> now = SmallFile.read(file);
        if (now.isEmpty() || now.equals(known)) {
            return Optional.empty();
        }
        known = now;
        return now.map(Content::read);
    }
}
