import CCairo

/// A picture to be drawn on, with cairo.
final class ChartCanvas {
    struct Color {
        var red: Double
        var green: Double
        var blue: Double

        static let paper = Color(red: 1, green: 1, blue: 1)
        static let ink = Color(red: 0.13, green: 0.15, blue: 0.18)
        static let pale = Color(red: 0.45, green: 0.48, blue: 0.52)
        static let line = Color(red: 0.88, green: 0.89, blue: 0.91)
        static let bar = Color(red: 0.23, green: 0.51, blue: 0.96)
    }

    enum Alignment {
        case left, center, right
    }

    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// Nil where there is no memory for it.
    init?(width: Int, height: Int) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)) else {
            return nil
        }
        guard let context = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.surface = surface
        self.context = context
        cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
        fill(x: 0, y: 0, width: Double(width), height: Double(height), .paper)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    func fill(x: Double, y: Double, width: Double, height: Double, _ color: Color) {
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
        cairo_rectangle(context, x, y, width, height)
        cairo_fill(context)
    }

    /// Writes a line; `x` is its left, its middle or its right, `y` where its letters stand.
    ///
    /// - Parameter room: What is wider loses its end.
    func write(
        _ text: String, x: Double, y: Double, size: Double, _ color: Color, _ alignment: Alignment = .left,
        room: Double
    ) {
        cairo_set_font_size(context, size)
        var shown = text
        var width = width(of: shown)
        while width > room, shown.count > 1 {
            shown = shown.dropLast(shown.hasSuffix("…") ? 2 : 1) + "…"
            width = self.width(of: shown)
        }
        if width > room { return }
        let start =
            switch alignment {
            case .left: x
            case .center: x - width / 2
            case .right: x - width
            }
        cairo_set_source_rgb(context, color.red, color.green, color.blue)
        cairo_move_to(context, start, y)
        cairo_show_text(context, shown)
    }

    func width(of text: String, size: Double) -> Double {
        cairo_set_font_size(context, size)
        return width(of: text)
    }

    private func width(of text: String) -> Double {
        var extents = cairo_text_extents_t()
        cairo_text_extents(context, text, &extents)
        return extents.x_advance
    }

    /// The picture as a PNG; nil where something went wrong on the way.
    func png() -> [UInt8]? {
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else { return nil }
        cairo_surface_flush(surface)
        var bytes: [UInt8] = []
        let status = withUnsafeMutablePointer(to: &bytes) { pointer in
            cairo_surface_write_to_png_stream(
                surface,
                { target, chunk, count in
                    guard let target, let chunk else { return CAIRO_STATUS_WRITE_ERROR }
                    target.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(
                        start: chunk, count: Int(count))
                    return CAIRO_STATUS_SUCCESS
                }, pointer)
        }
        return status == CAIRO_STATUS_SUCCESS ? bytes : nil
    }
}
