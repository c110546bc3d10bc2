// Checks modules of real Go code with the language's own type checker, as often as it is asked: each line read is the directory of a
// module, and for each error a line `path TAB line TAB column TAB message` is printed, then a line `done`. Unlike `go vet` it goes on
// after errors, so that a package whose import is broken is looked at too. Tests are left out, and so is what is not for this system.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var files = token.NewFileSet()
var library = importer.ForCompiler(files, "source", nil)

type module struct {
	root     string
	name     string
	packages map[string]*types.Package
	said     map[string]bool
}

func (m *module) Import(path string) (*types.Package, error) {
	if path != m.name && !strings.HasPrefix(path, m.name+"/") {
		return library.Import(path)
	}
	if known, ok := m.packages[path]; ok {
		if known == nil {
			return nil, fmt.Errorf("no package %s", path)
		}
		return known, nil
	}
	m.packages[path] = nil
	directory := filepath.Join(m.root, strings.TrimPrefix(path, m.name))
	var sources []*ast.File
	entries, _ := os.ReadDir(directory)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if matches, err := build.Default.MatchFile(directory, name); err != nil || !matches {
			continue
		}
		source, err := parser.ParseFile(files, filepath.Join(directory, name), nil, 0)
		if err != nil {
			m.say(filepath.Join(directory, name), 1, 1, err.Error())
		}
		if source != nil {
			sources = append(sources, source)
		}
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("no package %s", path)
	}
	configuration := types.Config{Importer: m, FakeImportC: true, Error: func(err error) {
		if one, ok := err.(types.Error); ok {
			at := files.Position(one.Pos)
			m.say(at.Filename, at.Line, at.Column, one.Msg)
		}
	}}
	checked, _ := configuration.Check(path, files, sources, nil)
	m.packages[path] = checked
	return checked, nil
}

func (m *module) say(path string, line int, column int, message string) {
	relative, _ := filepath.Rel(m.root, path)
	m.said[fmt.Sprintf("%s\t%d\t%d\t%s", relative, line, column, strings.ReplaceAll(message, "\n", " "))] = true
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		root := lines.Text()
		text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
		name := regexp.MustCompile(`(?m)^module\s+(\S+)`).FindStringSubmatch(string(text))
		one := &module{root, name[1], map[string]*types.Package{}, map[string]bool{}}
		filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
			if err == nil && info.IsDir() {
				found, _ := filepath.Glob(filepath.Join(path, "*.go"))
				relative, _ := filepath.Rel(root, path)
				if len(found) > 0 {
					one.Import(strings.TrimSuffix(one.name+"/"+filepath.ToSlash(relative), "/."))
				}
			}
			return nil
		})
		for said := range one.said {
			fmt.Println(said)
		}
		fmt.Println("done")
	}
}
