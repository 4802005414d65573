/// Three rows of three numbers.
struct Matrix3: Hashable, Sendable {
    var rows: [[Double]]

    init(rows: [[Double]]) {
        self.rows = rows
    }

    init(columns: [[Double]]) {
        rows = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(
            rows: left.rows.map { row in
                (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * right.rows[$1][column] } }
            })
    }

    /// `nil` for a matrix that cannot be turned round.
    var inverse: Matrix3? {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return rows[r][c] * rows[s][d] - rows[r][d] * rows[s][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * minor(0, $1) }
        guard determinant.isFinite, determinant.magnitude > 1e-9 else { return nil }
        return Matrix3(rows: (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } })
    }
}
