package dev.spur.service.language;

/**
 * A passage of prose: one paragraph, list item, table cell, description or message.
 *
 * @param place file and line number, for example {@code docs/index.md:12}
 * @param text the words without markup; code is replaced by {@code X}
 */
public record Passage(String place, String text) {}
