package dev.spur.benchmarks.browser;

/** Viewport of the browser; sizes in CSS pixels. */
public enum Viewport {
    LAPTOP(1400, 900),
    PHONE(390, 844);

    final int width;
    final int height;

    Viewport(int width, int height) {
        this.width = width;
        this.height = height;
    }
}
